//! What a search needs vectors of before all else. A catalog takes seconds to embed and a first search does not
//! wait that long: it is ranked by meaning once those that its words find first are embedded.

use crate::answer::Query;
use crate::document::DefinitionHash;
use crate::index::{Scope, Scores, Slot};
use crate::lexicon::{in_english, tongue_of};
use crate::library::Library;

/// The encoder joins when this share of a scope has vectors, or the first by words have.
const ENOUGH_VECTORS: f32 = 0.95;
/// So many are the first by words.
const FIRST: usize = 120;

impl Library {
    /// What to embed before a query is searched, the most important first: nothing if the encoder can join as it
    /// is.
    pub fn wanted_first(&self, query: &Query<'_>, scope: &Scope) -> Vec<(DefinitionHash, String)> {
        if self.has_enough(scope) {
            return Vec::new();
        }
        let text = match query.service {
            Some(service) => format!("{} {service}", query.text),
            None => query.text.to_owned(),
        };
        let is_known = |word: &str| self.index.knows(word, scope);
        let tongue = tongue_of(&text, &is_known);
        let english = in_english(&text, tongue, &is_known);
        let words = self.by_words(&text, english.as_ref(), &self.parts(&text, tongue, scope), scope);
        let first = self.first_by_words(&words.whole, scope).into_iter();
        first.filter(|slot| !self.vectors.has(*slot)).filter_map(|slot| self.to_embed(slot)).collect()
    }

    /// Whether the documents of a scope have the vectors that a ranking by meaning takes.
    pub(crate) fn can_compare(&self, words: &Scores, scope: &Scope) -> bool {
        let is_begun = || !self.vectors.is_empty();
        let first_have = || self.first_by_words(words, scope).into_iter().all(|slot| self.vectors.has(slot));
        !scope.is_empty() && (self.has_enough(scope) || (is_begun() && first_have()))
    }

    fn has_enough(&self, scope: &Scope) -> bool {
        let with = scope.slots().filter(|slot| self.vectors.has(*slot)).count();
        with as f32 >= ENOUGH_VECTORS * scope.len() as f32
    }

    /// Those that share words with a query, the best first, and then the others.
    fn first_by_words(&self, words: &Scores, scope: &Scope) -> Vec<Slot> {
        let mut first: Vec<(Slot, f32)> = scope.slots().map(|slot| (slot, words.get(slot))).collect();
        self.best_first(&mut first, FIRST);
        first.into_iter().map(|(slot, _)| slot).collect()
    }
}
