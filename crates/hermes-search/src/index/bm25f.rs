//! Ranks by words: BM25F over the fields, with near spellings for words that no document has.

use std::collections::BTreeMap;

use super::fields::K1;
use super::postings::{Index, Posting, Slot, TermId};
use super::scope::Scope;
use super::scores::Scores;
use crate::tokens;

/// What a near spelling counts, compared to the word itself.
const NEAR_SPELLING: f32 = 0.7;

impl Index {
    /// The scores of everything in the scope that shares a word with the query.
    pub fn score(&self, query: &str, scope: &Scope) -> Scores {
        let mut scores = Scores::new(self.capacity());
        let mut words: BTreeMap<String, ()> = BTreeMap::new();
        for term in tokens::terms(query) {
            words.insert(term, ());
        }
        for word in words.keys() {
            match self.terms.get(word.as_str()).filter(|term| self.holds(**term, scope)) {
                Some(&term) => self.each_score(term, scope, |slot, score| scores.add(slot, score)),
                None => self.score_neighbours(word, scope, &mut scores),
            }
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
        let near = terms.iter().filter(unknown).filter(|term| !self.neighbours.of(term, holds).is_empty());
        let near = near.count();
        near > 0 && 2 * near >= terms.len()
    }

    fn each_score(&self, term: TermId, scope: &Scope, mut take: impl FnMut(Slot, f32)) {
        let list = self.list(term);
        let weight = rarity(scope.len(), self.frequency(term, scope));
        for posting in list.iter().filter(|posting| scope.contains(posting.slot)) {
            let norms = scope.norms(posting.slot);
            let frequency: f32 =
                posting.counts.iter().zip(norms).map(|(&count, norm)| f32::from(count) * norm).sum();
            take(posting.slot, weight * frequency * (K1 + 1.0) / (frequency + K1));
        }
    }

    /// A misspelt or cut word counts as the best of its neighbours in each document.
    fn score_neighbours(&self, word: &str, scope: &Scope, scores: &mut Scores) {
        let mut best: BTreeMap<Slot, f32> = BTreeMap::new();
        let near = self.neighbours.of(word, |term| self.holds(term, scope));
        for neighbour in near {
            let factor = NEAR_SPELLING * neighbour.likeness;
            self.each_score(neighbour.term, scope, |slot, score| {
                let at = best.entry(slot).or_default();
                *at = at.max(score * factor);
            });
        }
        for (slot, score) in best {
            scores.add(slot, score);
        }
    }

    /// Whether any document of the scope has the term.
    fn holds(&self, term: TermId, scope: &Scope) -> bool {
        self.list(term).iter().any(|posting| scope.contains(posting.slot))
    }

    /// How many documents of the scope have the term.
    fn frequency(&self, term: TermId, scope: &Scope) -> usize {
        if scope.len() == self.len() {
            return self.list(term).len();
        }
        self.list(term).iter().filter(|posting| scope.contains(posting.slot)).count()
    }

    fn list(&self, term: TermId) -> &[Posting] {
        self.postings.get(term as usize).map_or(&[], Vec::as_slice)
    }
}

fn rarity(documents: usize, frequency: usize) -> f32 {
    let (all, with) = (documents as f32, frequency as f32);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}
