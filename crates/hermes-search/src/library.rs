//! Everything that can be found, and the search over it.

use std::collections::HashSet;

use crate::answer::{Answer, Hit, Method, Query};
use crate::document::{DefinitionHash, Document};
use crate::encoder::{Encoder, QUERY_TOKENS, Vector, Vectors, tool_text};
use crate::exact::Names;
use crate::fusion::{LEAST_LIKENESS, LEAST_LIKENESS_OF_NOISE, WHOLE, blend, fuse, scale};
use crate::index::{Index, NearWords, Scope, Scores, Slot};
use crate::lexicon::in_english;
use crate::needs::needs;

/// The encoder joins when this share of a scope has vectors.
const ENOUGH_VECTORS: f32 = 0.95;

/// So many tools of one name that fit nearly alike are shown before something else has its turn.
const NAMESAKES: usize = 3;
/// How far apart two scores are that are nearly alike.
const NEARLY: f32 = 0.05;

/// Documents with their index, names and vectors. Sessions search it through scopes.
#[derive(Debug, Default)]
pub struct Library {
    index: Index,
    names: Names,
    vectors: Vectors,
    documents: Vec<Option<Kept>>,
}

/// What is left of a document once it is indexed.
#[derive(Debug)]
struct Kept {
    name: String,
    hash: DefinitionHash,
    /// What the encoder will read.
    text: Box<str>,
}

impl Library {
    /// Adds a document or replaces the one of its name. A vector it had stays if nothing it was made from
    /// changed.
    pub fn insert(&mut self, document: Document) -> Slot {
        let hash = document.hash();
        let kept_vector = self
            .index
            .slot(&document.name)
            .filter(|slot| self.kept(*slot).is_some_and(|kept| kept.hash == hash))
            .and_then(|slot| self.vectors.get(slot));
        self.remove(&document.name);
        let slot = self.index.insert(&document);
        self.names.add(slot, &document);
        if let Some(vector) = kept_vector {
            self.vectors.set(slot, &vector);
        }
        let place = slot as usize;
        if self.documents.len() <= place {
            self.documents.resize_with(place + 1, || None);
        }
        if let Some(at) = self.documents.get_mut(place) {
            *at = Some(Kept { text: tool_text(&document).into(), name: document.name, hash });
        }
        slot
    }

    pub fn remove(&mut self, name: &str) {
        let Some(slot) = self.index.remove(name) else { return };
        self.names.remove(slot);
        self.vectors.clear(slot);
        if let Some(at) = self.documents.get_mut(slot as usize) {
            *at = None;
        }
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.documents.iter().flatten().map(|kept| kept.name.as_str())
    }

    pub fn len(&self) -> usize {
        self.index.len()
    }

    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The part of the library with these names.
    pub fn scope<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Scope {
        Scope::of(&self.index, names)
    }

    pub fn everything(&self) -> Scope {
        Scope::everything(&self.index)
    }

    /// Whether a document of this name is in the scope.
    pub fn is_in(&self, name: &str, scope: &Scope) -> bool {
        self.index.slot(name).is_some_and(|slot| scope.contains(slot))
    }

    /// The definitions of all documents.
    pub fn hashes(&self) -> HashSet<DefinitionHash> {
        self.documents.iter().flatten().map(|kept| kept.hash).collect()
    }

    /// At most `most` that have no vector yet: hash and text, to be embedded outside and given to [`Self::set_vectors`].
    pub fn without_vector(&self, most: usize) -> Vec<(DefinitionHash, String)> {
        let slots = (0..).zip(&self.documents).filter_map(|(slot, kept)| Some((slot, kept.as_ref()?)));
        slots
            .filter(|(slot, _)| !self.vectors.has(*slot))
            .take(most)
            .map(|(_, kept)| (kept.hash, kept.text.to_string()))
            .collect()
    }

    /// Gives the documents that have no vector yet the one that is known for their definition.
    pub fn set_vectors(&mut self, known: &dyn Fn(&DefinitionHash) -> Option<Vector>) {
        let Library { documents, vectors, .. } = self;
        for (slot, kept) in (0..).zip(documents.iter()) {
            let Some(kept) = kept else { continue };
            if !vectors.has(slot)
                && let Some(vector) = known(&kept.hash)
            {
                vectors.set(slot, &vector);
            }
        }
    }

    /// Pairs of documents whose vectors are at least so alike, the most alike first.
    pub fn alike(&self, least: f32) -> Vec<(&str, &str, f32)> {
        let mut pairs = Vec::new();
        for (slot, kept) in (0..).zip(&self.documents) {
            let (Some(kept), Some(vector)) = (kept, self.vectors.get(slot)) else { continue };
            let others = self.vectors.compare(&vector);
            for (other, likeness) in (0..).zip(others).skip(slot as usize + 1) {
                if likeness >= least
                    && let Some(other) = self.kept(other)
                {
                    let (a, b) = (kept.name.as_str(), other.name.as_str());
                    pairs.push((a.min(b), a.max(b), likeness));
                }
            }
        }
        pairs.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| (a.0, a.1).cmp(&(b.0, b.1))));
        pairs
    }

    /// The documents of the scope that fit the query best.
    pub fn search(&self, query: &Query<'_>, scope: &Scope) -> Answer {
        let text = match query.service.filter(|service| !service.trim().is_empty()) {
            Some(service) => format!("{} {service}", query.text),
            None => query.text.to_owned(),
        };
        let english = in_english(&text, &|word| self.index.knows(word, scope));
        let mut words = self.by_words(&text, english.as_deref(), scope);
        let mut found = !words.touched().is_empty();
        words.scale(scope.len());
        let meaning = self.by_meaning(&text, english.as_deref(), scope);
        let method = if meaning.is_some() { Method::Meaning } else { Method::Words };
        // Without meaning only what shares a word can be an answer.
        let mut candidates = words.touched().to_vec();
        let mut scores = words.into_all();
        if let Some(mut meaning) = meaning {
            candidates = scope.slots().collect();
            let most = scale(&mut meaning, &candidates);
            let reads =
                Encoder::shared().is_some_and(|encoder| encoder.reads(english.as_deref().unwrap_or(&text)));
            found |= most >= if reads { LEAST_LIKENESS } else { LEAST_LIKENESS_OF_NOISE };
            let in_doubt = english.is_none() && self.index.is_misspelt(&text, scope);
            fuse(&mut scores, &meaning, in_doubt);
        }
        // Who types a server's name alone wants its tools, whoever else mentions it.
        for slot in self.names.of_server(query.text).iter().filter(|slot| scope.contains(**slot)) {
            if let Some(score) = scores.get_mut(*slot as usize) {
                *score += 1.0;
            }
            if !candidates.contains(slot) {
                candidates.push(*slot);
            }
        }
        if !found {
            candidates.clear();
        }
        let of = |slot: Slot| Some((slot, *scores.get(slot as usize)?));
        let mut ranked: Vec<(Slot, f32)> =
            candidates.into_iter().filter_map(of).filter(|(_, score)| *score > 0.0).collect();
        let named = self.named_first(query.text, scope, &scores);
        if !named.is_empty() {
            ranked.retain(|(slot, _)| !named.contains(slot));
        }
        self.best_first(&mut ranked, query.limit.saturating_mul(4).saturating_add(NAMESAKES));
        let ranked = self.spread(ranked);
        let exact = named.iter().map(|slot| (*slot, 1.0, true));
        let others = ranked.into_iter().map(|(slot, score)| (slot, score, false));
        let hits =
            exact.chain(others).take(query.limit.max(named.len())).filter_map(|(slot, score, exact)| {
                Some(Hit { slot, name: self.index.name(slot)?.to_owned(), score, exact })
            });
        Answer { hits: hits.collect(), method }
    }

    /// What the query names, in its order; namesakes by score.
    fn named_first(&self, query: &str, scope: &Scope, scores: &[f32]) -> Vec<Slot> {
        let mut named = self.names.named_in(query, scope);
        let score = |slot: Slot| scores.get(slot as usize).copied().unwrap_or_default();
        named.sort_by(|a, b| {
            let by_name = || self.index.name(a.2).cmp(&self.index.name(b.2));
            (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| score(b.2).total_cmp(&score(a.2))).then_with(by_name)
        });
        named.into_iter().map(|(_, _, slot)| slot).collect()
    }

    fn by_words(&self, text: &str, english: Option<&str>, scope: &Scope) -> Scores {
        let whole = match english {
            Some(english) => format!("{text} {english}"),
            None => text.to_owned(),
        };
        let mut near = NearWords::default();
        let mut scores = self.index.score_with(&whole, scope, &mut near);
        let parts = needs(text).into_iter().map(|part| {
            let mut scores = self.index.score_with(part, scope, &mut near);
            scores.scale(scope.len());
            scores
        });
        let parts: Vec<Scores> = parts.collect();
        if !parts.is_empty() {
            scores.scale(scope.len());
            scores.blend(&parts, WHOLE);
        }
        scores
    }

    /// `None` if too few of the scope have vectors.
    fn by_meaning(&self, text: &str, english: Option<&str>, scope: &Scope) -> Option<Vec<f32>> {
        let with = scope.slots().filter(|slot| self.vectors.has(*slot)).count();
        if scope.is_empty() || (with as f32) < ENOUGH_VECTORS * scope.len() as f32 {
            return None;
        }
        let encoder = Encoder::shared()?;
        let parts = needs(text);
        let texts: Vec<&str> = [text].into_iter().chain(english).chain(parts.iter().copied()).collect();
        let mut vectors = encoder.embed_all(&texts, QUERY_TOKENS).into_iter();
        let mut whole = self.vectors.compare(&vectors.next()?);
        if english.is_some() {
            let translated = self.vectors.compare(&vectors.next()?);
            for (score, other) in whole.iter_mut().zip(translated) {
                *score = score.max(other);
            }
        }
        let parts: Vec<Vec<f32>> = vectors.map(|vector| self.vectors.compare(&vector)).collect();
        blend(&mut whole, &parts);
        whole.resize(self.index.capacity(), 0.0);
        for (slot, score) in whole.iter_mut().enumerate() {
            let slot = Slot::try_from(slot).unwrap_or(Slot::MAX);
            if !scope.contains(slot) || !self.vectors.has(slot) {
                *score = score.min(0.0);
            }
        }
        Some(whole)
    }

    /// The first `limit`, sorted; equal scores by name, so that the order never depends on the slot.
    fn best_first(&self, ranked: &mut Vec<(Slot, f32)>, limit: usize) {
        let order = |a: &(Slot, f32), b: &(Slot, f32)| {
            b.1.total_cmp(&a.1).then_with(|| self.index.name(a.0).cmp(&self.index.name(b.0)))
        };
        if ranked.len() > limit && limit > 0 {
            // By number first: names are compared among the last equals only.
            let mut scores: Vec<f32> = ranked.iter().map(|(_, score)| *score).collect();
            let (_, least, _) = scores.select_nth_unstable_by(limit - 1, |a, b| b.total_cmp(a));
            ranked.retain(|(_, score)| *score >= *least);
        }
        ranked.sort_by(order);
        ranked.truncate(limit);
    }

    /// Twenty servers with the same tool must not fill the answer: whoever wants another one still finds it
    /// further down.
    fn spread(&self, ranked: Vec<(Slot, f32)>) -> Vec<(Slot, f32)> {
        // So few that looking at all of them is faster than hashing.
        let mut shown: Vec<(&str, usize, f32)> = Vec::with_capacity(ranked.len());
        let (first, later): (Vec<_>, Vec<_>) = ranked.into_iter().partition(|(slot, score)| {
            let Some(name) = self.names.bare(*slot) else { return true };
            let Some((_, count, best)) = shown.iter_mut().find(|(known, _, _)| *known == name) else {
                shown.push((name, 1, *score));
                return true;
            };
            *count += 1;
            *count <= NAMESAKES || *best - *score > NEARLY
        });
        first.into_iter().chain(later).collect()
    }

    fn kept(&self, slot: Slot) -> Option<&Kept> {
        self.documents.get(slot as usize)?.as_ref()
    }
}
