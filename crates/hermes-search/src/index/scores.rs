//! Scores of a search by words. Of thousands of documents a query touches few, and only those cost anything.

use super::postings::Slot;

/// A number for every slot, and which of them are more than nothing.
#[derive(Clone, Debug)]
pub struct Scores {
    of: Vec<f32>,
    touched: Vec<Slot>,
    /// What the best comes to when it is scaled: less than everything where only little was found of what was asked.
    most: f32,
}

impl Scores {
    pub(crate) fn new(capacity: usize) -> Self {
        Scores { of: vec![0.0; capacity], touched: Vec::new(), most: 1.0 }
    }

    pub(crate) fn add(&mut self, slot: Slot, score: f32) {
        if let Some(at) = self.of.get_mut(slot as usize).filter(|_| score > 0.0) {
            if *at == 0.0 {
                self.touched.push(slot);
            }
            *at += score;
        }
    }

    /// Gives a slot this much, if it has less.
    pub(crate) fn raise(&mut self, slot: Slot, score: f32) {
        let more = score - self.get(slot);
        self.add(slot, more);
    }

    pub(crate) fn multiply(&mut self, by: f32) {
        for slot in &self.touched {
            if let Some(score) = self.of.get_mut(*slot as usize) {
                *score *= by;
            }
        }
    }

    pub fn get(&self, slot: Slot) -> f32 {
        self.of.get(slot as usize).copied().unwrap_or_default()
    }

    /// The slots that are more than nothing, in no order that means anything.
    pub fn touched(&self) -> &[Slot] {
        &self.touched
    }

    pub fn into_all(self) -> Vec<f32> {
        self.of
    }

    pub(crate) fn at_most(&mut self, most: f32) {
        self.most = most;
    }

    /// Scales to 0..1 over the members of a scope; where all have the same, all have everything.
    pub(crate) fn scale(&mut self, members: usize) {
        // Whatever was not touched has nothing.
        let least = if self.touched.len() < members { 0.0 } else { f32::INFINITY };
        let (low, high) = self.touched.iter().fold((least, 0.0_f32), |(low, high), slot| {
            let score = self.get(*slot);
            (low.min(score), high.max(score))
        });
        let range = high - low;
        for slot in &self.touched {
            if let Some(score) = self.of.get_mut(*slot as usize) {
                *score = self.most * if range > f32::EPSILON { (*score - low) / range } else { 1.0 };
            }
        }
    }

    /// The whole query with the best of its parts, all of them scaled.
    pub(crate) fn blend(&mut self, parts: &[&Scores], whole: f32) {
        let mut best = Scores::new(self.of.len());
        for (part, slot) in parts.iter().flat_map(|part| part.touched.iter().map(move |slot| (part, *slot))) {
            best.raise(slot, part.get(slot));
        }
        // A part can know what the whole does not, where a word means something else in it.
        let more = best.touched.iter().filter(|slot| self.get(**slot) == 0.0 && !self.touched.contains(slot));
        let more: Vec<Slot> = more.copied().collect();
        self.touched.extend(more);
        for slot in &self.touched {
            let best = best.get(*slot);
            if let Some(score) = self.of.get_mut(*slot as usize) {
                *score = whole * *score + (1.0 - whole) * best;
            }
        }
    }
}
