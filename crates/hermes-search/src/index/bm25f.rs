//! Ranks by words: BM25F over the fields, with near spellings for words that no document has.

use std::collections::{BTreeMap, HashMap};

use super::fields::K1;
use super::fuzzy::{Neighbour, Unknown};
use super::postings::{Index, Posting, Slot, TermId};
use super::scope::Scope;
use super::scores::Scores;
use crate::encoder::is_word;
use crate::tokens;

/// What a near spelling counts, compared to the word itself.
const NEAR_SPELLING: f32 = 0.7;

/// What is near the unknown words of one search.
#[derive(Debug, Default)]
pub(crate) struct NearWords(HashMap<String, Vec<Neighbour>>);

impl NearWords {
    /// What was understood as another language's is no misspelling.
    pub(crate) fn understood(&mut self, text: &str) {
        self.0.extend(tokens::terms(text).into_iter().map(|term| (term, Vec::new())));
    }
}

impl Index {
    /// The scores of everything in the scope that shares a word with the query.
    pub fn score(&self, query: &str, scope: &Scope) -> Scores {
        self.score_with(query, scope, &mut NearWords::default())
    }

    /// The same for the texts of one search, which have words in common: what is near an unknown word is
    /// found once.
    pub(crate) fn score_with(&self, query: &str, scope: &Scope, near: &mut NearWords) -> Scores {
        let mut scores = Scores::new(self.capacity());
        let mut words = tokens::terms(query);
        words.sort_unstable();
        words.dedup();
        let mut written = None;
        // Particles and units say little beside words that say something.
        let is_beside = !words.iter().all(|word| tokens::is_light(word));
        let mut is_something_found = false;
        for word in words {
            let is_light = is_beside && tokens::is_light(&word);
            let weight = if is_light { tokens::LIGHT } else { 1.0 };
            let is_found = match self.terms.get(word.as_str()).filter(|term| self.holds(**term, scope)) {
                Some(&term) => {
                    self.each_score(term, scope, |slot, score| scores.add(slot, weight * score));
                    true
                }
                None => {
                    let written: &Written = written.get_or_insert_with(|| Written::of(query));
                    self.score_neighbours(word, written, scope, near, &mut scores)
                }
            };
            is_something_found |= is_found && !is_light;
        }
        if !is_something_found {
            scores.at_most(tokens::LIGHT);
        }
        scores
    }

    /// Whether any term of this text is a term of the scope, as it stands or nearly.
    pub fn knows(&self, text: &str, scope: &Scope) -> bool {
        let known =
            |term: &String| self.terms.get(term.as_str()).is_some_and(|term| self.holds(*term, scope));
        tokens::terms(text).iter().any(known)
    }

    /// Whether at least half of the words are known only by their near spellings: what a reader of whole
    /// words makes of such a text is not to be trusted.
    pub fn is_misspelt(&self, text: &str, scope: &Scope) -> bool {
        let terms = tokens::terms(text);
        let holds = |term: TermId| self.holds(term, scope);
        let unknown = |term: &&String| !self.terms.get(term.as_str()).is_some_and(|term| holds(*term));
        let mut unknown = terms.iter().filter(unknown).peekable();
        if unknown.peek().is_none() {
            return false;
        }
        let written = Written::of(text);
        let wrong = unknown.map(|term| written.word(term)).filter(|word| !word.is_spelt_right);
        let near = wrong.filter(|word| !self.neighbours.of(word, holds).is_empty()).count();
        near > 0 && 2 * near >= terms.len()
    }

    fn each_score(&self, term: TermId, scope: &Scope, mut take: impl FnMut(Slot, f32)) {
        let weight = rarity(scope.len(), self.frequency(term, scope));
        self.each_frequency(term, scope, |slot, frequency| take(slot, weight * frequency));
    }

    /// How much each document of the scope is about a term, however rare that is.
    pub(super) fn each_frequency(&self, term: TermId, scope: &Scope, mut take: impl FnMut(Slot, f32)) {
        let everything = scope.len() == self.len();
        for posting in self.list(term).iter().filter(|posting| everything || scope.contains(posting.slot)) {
            let norms = scope.norms(posting.slot);
            let frequency: f32 =
                posting.counts.iter().zip(norms).map(|(&count, norm)| f32::from(count) * norm).sum();
            take(posting.slot, frequency * (K1 + 1.0) / (frequency + K1));
        }
    }

    /// How much of what a text says a document has, from 0 to 1: rare words say more.
    pub(crate) fn covered(&self, text: &str, slot: Slot, scope: &Scope) -> f32 {
        let (mut has, mut all) = (0.0, 0.0);
        for word in tokens::terms(text) {
            let term = self.terms.get(word.as_str());
            let frequency = term.map_or(0, |term| self.frequency(*term, scope));
            let light = if tokens::is_light(&word) { tokens::LIGHT } else { 1.0 };
            let weight = light * rarity(scope.len(), frequency.max(1));
            let holds = |term: &TermId| self.list(*term).iter().any(|posting| posting.slot == slot);
            all += weight;
            has += if term.is_some_and(holds) { weight } else { 0.0 };
        }
        if all > 0.0 { has / all } else { 0.0 }
    }

    /// A misspelt or cut word counts as the best of its neighbours in each document. Says whether it has any.
    fn score_neighbours(
        &self,
        word: String,
        written: &Written,
        scope: &Scope,
        near: &mut NearWords,
        scores: &mut Scores,
    ) -> bool {
        let mut best: BTreeMap<Slot, f32> = BTreeMap::new();
        let near = near.0.entry(word);
        let near = near.or_insert_with_key(|word| {
            self.neighbours.of(&written.word(word), |term| self.holds(term, scope))
        });
        for neighbour in near {
            let factor = NEAR_SPELLING * neighbour.likeness;
            self.each_score(neighbour.term, scope, |slot, score| {
                let at = best.entry(slot).or_default();
                *at = at.max(score * factor);
            });
        }
        let is_found = !best.is_empty();
        for (slot, score) in best {
            scores.add(slot, score);
        }
        is_found
    }

    /// Whether any document of the scope has the term.
    pub(super) fn holds(&self, term: TermId, scope: &Scope) -> bool {
        self.list(term).iter().any(|posting| scope.contains(posting.slot))
    }

    /// How many documents of the scope have the term.
    pub(super) fn frequency(&self, term: TermId, scope: &Scope) -> usize {
        if scope.len() == self.len() {
            return self.list(term).len();
        }
        self.list(term).iter().filter(|posting| scope.contains(posting.slot)).count()
    }

    fn list(&self, term: TermId) -> &[Posting] {
        self.postings.get(term as usize).map_or(&[], Vec::as_slice)
    }
}

/// The words of a text as they are written, by their stems.
struct Written(HashMap<String, String>);

impl Written {
    /// Of several words with one stem that which is spelt right.
    fn of(text: &str) -> Self {
        let mut written: HashMap<String, String> = HashMap::new();
        for word in tokens::pieces(text).flat_map(tokens::words).map(tokens::fold) {
            let at = written.entry(tokens::stem(&word).into_owned()).or_insert_with(|| word.to_string());
            if is_word(&word) {
                word.as_ref().clone_into(at);
            }
        }
        Written(written)
    }

    /// A word that is one of English is no misspelling of another.
    fn word<'a>(&'a self, stem: &'a str) -> Unknown<'a> {
        let written = self.0.get(stem).map_or(stem, String::as_str);
        Unknown { stem, written, is_spelt_right: self.0.contains_key(stem) && is_word(written) }
    }
}

pub(super) fn rarity(documents: usize, frequency: usize) -> f32 {
    let (all, with) = (documents as f32, frequency as f32);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}
