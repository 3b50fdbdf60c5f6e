//! The part of an index that one session may search. Statistics are the scope's own, so what lies
//! outside changes no score and cannot be guessed from one.

use super::fields::{FIELDS, RULES};
use super::postings::{Index, Slot};

/// A set of documents with their average lengths.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    members: Vec<u64>,
    count: usize,
    /// For each document and field: the factor that turns a count into a normalised frequency.
    norms: Vec<[f32; FIELDS]>,
}

impl Scope {
    /// The documents with these names; names the index does not hold are left out.
    pub fn of<'a>(index: &Index, names: impl IntoIterator<Item = &'a str>) -> Self {
        Self::of_slots(index, names.into_iter().filter_map(|name| index.slot(name)))
    }

    /// Every document.
    pub fn everything(index: &Index) -> Self {
        Self::of_slots(
            index,
            (0..).zip(&index.documents).filter_map(|(slot, kept)| kept.as_ref().map(|_| slot)),
        )
    }

    fn of_slots(index: &Index, slots: impl Iterator<Item = Slot>) -> Self {
        let mut scope = Scope { members: vec![0; index.capacity().div_ceil(64)], ..Scope::default() };
        let mut totals = [0_u64; FIELDS];
        for slot in slots {
            if scope.add(slot)
                && let Some(Some(document)) = index.documents.get(slot as usize)
            {
                for (total, length) in totals.iter_mut().zip(document.lengths) {
                    *total += u64::from(length);
                }
            }
        }
        let count = scope.count.max(1) as f32;
        let averages = totals.map(|total| (total as f32 / count).max(f32::MIN_POSITIVE));
        scope.norms = index
            .documents
            .iter()
            .map(|document| {
                let lengths = document.as_ref().map(|document| document.lengths).unwrap_or_default();
                let mut norms = [0.0; FIELDS];
                for (((norm, length), average), rule) in
                    norms.iter_mut().zip(lengths).zip(averages).zip(&RULES)
                {
                    *norm = rule.weight / (1.0 - rule.b + rule.b * f32::from(length) / average).max(1e-6);
                }
                norms
            })
            .collect();
        scope
    }

    fn add(&mut self, slot: Slot) -> bool {
        let Some(word) = self.members.get_mut(slot as usize / 64) else { return false };
        let bit = 1_u64 << (slot % 64);
        let new = *word & bit == 0;
        *word |= bit;
        self.count += usize::from(new);
        new
    }

    pub fn contains(&self, slot: Slot) -> bool {
        self.members.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The members in order.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        (0..).zip(&self.members).flat_map(|(place, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                if left == 0 {
                    return None;
                }
                let bit = left.trailing_zeros();
                left &= left - 1;
                Some(place * 64 + bit)
            })
        })
    }

    pub(super) fn norms(&self, slot: Slot) -> [f32; FIELDS] {
        self.norms.get(slot as usize).copied().unwrap_or_default()
    }
}
