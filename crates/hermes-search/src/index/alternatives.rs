//! Words that say the same: whichever of them a document has, it has what was asked for, and no more by having
//! several.

use super::bm25f::rarity;
use super::postings::{Index, Slot, TermId};
use super::scope::Scope;
use super::scores::Scores;
use crate::tokens;

/// What another word counts beside the first, which is the plainest.
const OTHER: f32 = 0.9;

impl Index {
    /// Adds to each document what the best of the words is to it. `own` are the terms that count already.
    pub(crate) fn add_alternatives(
        &self,
        words: &[&str],
        own: &[String],
        scope: &Scope,
        scores: &mut Scores,
    ) {
        let words: Vec<Vec<String>> = words.iter().map(|word| tokens::terms(word)).collect();
        if words.iter().any(|terms| !terms.is_empty() && terms.iter().all(|term| own.contains(term))) {
            return;
        }
        let mut best = Scores::new(self.capacity());
        let weighted =
            words.iter().enumerate().map(|(place, terms)| (if place == 0 { 1.0 } else { OTHER }, terms));
        let (single, phrases): (Vec<_>, Vec<_>) = weighted.partition(|(_, terms)| terms.len() == 1);
        for (weight, term) in single {
            for (_, term) in self.ids(term, scope) {
                self.each_frequency(term, scope, |slot, frequency| best.raise(slot, weight * frequency));
            }
        }
        // They are one word, which is as rare as all of them together.
        let weight = rarity(scope.len(), best.touched().len());
        best.multiply(weight);
        for (weight, terms) in phrases {
            let mut together = Scores::new(self.capacity());
            for (light, term) in self.ids(terms, scope) {
                let rarity = weight * light * rarity(scope.len(), self.frequency(term, scope));
                self.each_frequency(term, scope, |slot, frequency| together.add(slot, rarity * frequency));
            }
            let touched: Vec<Slot> = together.touched().to_vec();
            touched.into_iter().for_each(|slot| best.raise(slot, together.get(slot)));
        }
        if !best.touched().is_empty() {
            scores.at_most(1.0);
        }
        for slot in best.touched() {
            scores.add(*slot, best.get(*slot));
        }
    }

    /// The terms of the scope among these, and what each counts beside others.
    fn ids(&self, terms: &[String], scope: &Scope) -> Vec<(f32, TermId)> {
        let weight = |term: &str| if tokens::is_light(term) { tokens::LIGHT } else { 1.0 };
        let known = terms.iter().filter_map(|term| Some((weight(term), *self.terms.get(term.as_str())?)));
        known.filter(|(_, term)| self.holds(*term, scope)).collect()
    }
}
