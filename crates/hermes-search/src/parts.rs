//! The parts of a query that are needs of their own: each is ranked by itself, and what fits it best is sure of a
//! place among the first, however much better something fits the whole.

use crate::fusion::fused;
use crate::index::{Scope, Scores, Slot};
use crate::lexicon::in_english;
use crate::library::Library;
use crate::meant::English;
use crate::needs::{Need, needs};
use crate::tongue::Tongue;

/// Letters of a part that adds to the ranking of the whole.
const TELLING: usize = 12;
/// Places among which every need has one; more needs have more.
const FIRST: usize = 5;
/// Needs are told in few words. What takes more is a story, and not every sentence of it asks for something; in a
/// list every item does.
const MOST_WORDS: usize = 5;
const MOST_WORDS_LISTED: usize = 12;
const MOST_LETTERS: usize = 80;
/// What fits a part shares a word with it, or is as much like it as this.
const LIKE: f32 = 0.25;
/// Where a cut may as well join the things of one need, it is as much like the part as this, or has as much of what
/// its words say.
const LIKE_LOOSE: f32 = 0.4;
const COVERED_LOOSE: f32 = 0.95;

/// A part of a query with its words in English.
pub(crate) struct Part<'a> {
    need: Need<'a>,
    pub(crate) english: Option<English>,
    /// What a reader of English makes of it.
    pub(crate) read: String,
    /// Its scores are part of those of the whole.
    pub(crate) is_telling: bool,
    /// What fits it best has a place.
    is_brief: bool,
}

impl<'a> Part<'a> {
    pub(crate) fn text(&self) -> &'a str {
        self.need.text
    }
}

impl Library {
    /// The parts of a query that is written in this tongue: its needs, or if it tells a story its sentences.
    pub(crate) fn parts<'a>(&self, text: &'a str, tongue: Tongue, scope: &Scope) -> Vec<Part<'a>> {
        let mut needs = needs(text);
        let is_long = |need: &Need<'_>| !need.is_loose && need.text.chars().count() >= TELLING;
        let is_telling = needs.iter().filter(|need| is_long(need)).count() > 1;
        let is_brief = is_brief(&needs);
        if !is_brief {
            needs.retain(|need| is_telling && is_long(need));
        }
        let is_known = |word: &str| self.index.knows(word, scope);
        let part = |need: Need<'a>| {
            let english = in_english(need.text, tongue, &is_known);
            let read = match &english {
                Some(english) => english.sentence(&is_known),
                None => need.text.to_owned(),
            };
            Part { need, english, read, is_telling: is_telling && is_long(&need), is_brief }
        };
        needs.into_iter().map(part).collect()
    }

    /// What fits each need best, in their order; nothing where there are not two. `words` and `meaning` are the
    /// scores of the parts; without an encoder there is no meaning.
    pub(crate) fn sure(
        &self,
        parts: &[Part<'_>],
        words: &[Scores],
        meaning: &[Vec<f32>],
        scope: &Scope,
    ) -> Vec<Slot> {
        let clear = parts.iter().enumerate().filter(|(_, part)| part.is_brief).filter_map(|(place, part)| {
            let slot = self.clear(part, words.get(place)?, meaning.get(place).map(Vec::as_slice), scope)?;
            Some((part.need, slot))
        });
        let clear: Vec<(Need<'_>, Slot)> = clear.collect();
        let is_split = |clause: usize| {
            let parts = clear.iter().filter(|(need, _)| need.clause == clause && need.is_loose);
            let mut slots: Vec<Slot> = parts.map(|(_, slot)| *slot).collect();
            slots.sort_unstable();
            slots.dedup();
            slots.len() > 1
        };
        let mut sure: Vec<Slot> = Vec::new();
        for (need, slot) in &clear {
            if need.is_loose == is_split(need.clause) && !sure.contains(slot) {
                sure.push(*slot);
            }
        }
        if sure.len() < 2 {
            sure.clear();
        }
        sure
    }

    /// What fits a part best, if that is clear.
    fn clear(&self, part: &Part<'_>, words: &Scores, meaning: Option<&[f32]>, scope: &Scope) -> Option<Slot> {
        let meaning = meaning.filter(|meaning| !meaning.is_empty());
        let best = match meaning {
            Some(meaning) => fused(words, meaning, scope),
            None => words.touched().iter().map(|slot| (*slot, words.get(*slot))).collect(),
        };
        let mut best: Vec<(Slot, f32)> = best;
        self.best_first(&mut best, 1);
        let (slot, _) = *best.first()?;
        let likeness = meaning.and_then(|meaning| meaning.get(slot as usize)).copied().unwrap_or_default();
        let is_clear = match part.need.is_loose {
            true => likeness >= LIKE_LOOSE || self.index.covered(&part.read, slot, scope) >= COVERED_LOOSE,
            false => likeness >= LIKE || words.get(slot) > 0.0,
        };
        is_clear.then_some(slot)
    }
}

/// Whether every part is told in few words.
fn is_brief(needs: &[Need<'_>]) -> bool {
    let is_short = |need: &Need<'_>| {
        let most = if need.is_listed { MOST_WORDS_LISTED } else { MOST_WORDS };
        need.text.split_whitespace().count() <= most && need.text.chars().count() <= MOST_LETTERS
    };
    let is_cut = |need: &Need<'_>| needs.iter().any(|part| part.is_loose && part.clause == need.clause);
    needs.iter().filter(|need| need.is_listed || need.is_loose || !is_cut(need)).all(is_short)
}

/// The ranking with each of these among its first places; the order is else as it was.
pub(crate) fn with_places(
    ranked: Vec<(Slot, f32)>,
    sure: &[Slot],
    scores: &[f32],
    room: usize,
) -> Vec<(Slot, f32)> {
    let places = room.min(FIRST.max(sure.len()));
    let is_sure = |slot: &Slot| sure.contains(slot);
    let mut others = places.saturating_sub(sure.len());
    let (mut first, mut later) = (Vec::with_capacity(places), Vec::new());
    for (slot, score) in ranked {
        if is_sure(&slot) {
            // Those that stand behind the others come after them.
            first.push((slot, score));
        } else if others > 0 {
            others -= 1;
            first.push((slot, score));
        } else {
            later.push((slot, score));
        }
    }
    let missing = sure.iter().filter(|slot| !first.iter().any(|(known, _)| known == *slot));
    let missing: Vec<(Slot, f32)> =
        missing.map(|slot| (*slot, scores.get(*slot as usize).copied().unwrap_or_default())).collect();
    first.extend(missing);
    first.extend(later);
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_need_has_a_place_and_the_order_is_kept() {
        let ranked: Vec<(Slot, f32)> = (0..8).map(|slot| (slot, 1.0 - slot as f32 / 10.0)).collect();
        let order = |sure: &[Slot], room: usize| -> Vec<Slot> {
            with_places(ranked.clone(), sure, &[0.1; 10], room).into_iter().map(|(slot, _)| slot).collect()
        };
        assert_eq!(order(&[1, 7], 5), [0, 1, 2, 3, 7, 4, 5, 6]);
        assert_eq!(order(&[9, 7], 10), [0, 1, 2, 7, 9, 3, 4, 5, 6]);
        assert_eq!(order(&[1, 2, 3, 4, 5, 6, 7], 7), [1, 2, 3, 4, 5, 6, 7, 0]);
        assert_eq!(order(&[], 5), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
