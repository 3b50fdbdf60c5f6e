//! Terms to the documents that hold them. Adding or removing a document touches its own terms only.

use std::collections::{HashMap, HashSet};

use super::fields::{FIELDS, texts};
use super::fuzzy::Neighbours;
use crate::document::Document;
use crate::tokens;

/// The place of a document in an index.
pub type Slot = u32;

pub(super) type TermId = u32;

/// One document's use of one term.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posting {
    pub(super) slot: Slot,
    /// How often in each field; more than 255 times is 255.
    pub(super) counts: [u8; FIELDS],
}

/// A document as the index keeps it.
#[derive(Debug)]
pub(super) struct Indexed {
    pub(super) name: String,
    pub(super) lengths: [u16; FIELDS],
    terms: Vec<TermId>,
}

/// All documents of all sources. Nothing is rebuilt when one comes or goes.
#[derive(Debug, Default)]
pub struct Index {
    pub(super) documents: Vec<Option<Indexed>>,
    free: Vec<Slot>,
    by_name: HashMap<String, Slot>,
    pub(super) terms: HashMap<Box<str>, TermId>,
    pub(super) postings: Vec<Vec<Posting>>,
    /// What each distinct piece of text comes to, so that it is cut and stemmed once.
    pieces: HashMap<Box<str>, Box<[TermId]>>,
    pub(super) neighbours: Neighbours,
    /// The words among the neighbours that are no terms.
    written: HashSet<Box<str>>,
}

impl Index {
    /// Adds a document, or replaces the one of that name.
    pub fn insert(&mut self, document: &Document) -> Slot {
        self.remove(&document.name);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.documents.push(None);
            Slot::try_from(self.documents.len() - 1).unwrap_or(Slot::MAX)
        });
        let mut counts: HashMap<TermId, [u8; FIELDS]> = HashMap::new();
        let mut lengths = [0_u16; FIELDS];
        texts(document, &mut |field, text| {
            for piece in tokens::pieces(text) {
                for &term in self.terms_of_piece(piece).iter() {
                    let at = counts.entry(term).or_default();
                    if let (Some(count), Some(length)) = (at.get_mut(field), lengths.get_mut(field)) {
                        *count = count.saturating_add(1);
                        *length = length.saturating_add(1);
                    }
                }
            }
        });
        let mut terms: Vec<TermId> = counts.keys().copied().collect();
        terms.sort_unstable();
        for &term in &terms {
            let Some(counts) = counts.get(&term).copied() else { continue };
            if let Some(list) = self.postings.get_mut(term as usize) {
                let at = list.partition_point(|posting| posting.slot < slot);
                list.insert(at, Posting { slot, counts });
            }
        }
        let indexed = Indexed { name: document.name.clone(), lengths, terms };
        if let Some(place) = self.documents.get_mut(slot as usize) {
            *place = Some(indexed);
        }
        self.by_name.insert(document.name.clone(), slot);
        slot
    }

    /// Takes a document out; unknown names are nothing to do.
    pub fn remove(&mut self, name: &str) -> Option<Slot> {
        let slot = self.by_name.remove(name)?;
        let gone = self.documents.get_mut(slot as usize)?.take()?;
        for term in gone.terms {
            if let Some(list) = self.postings.get_mut(term as usize) {
                list.retain(|posting| posting.slot != slot);
            }
        }
        self.free.push(slot);
        Some(slot)
    }

    pub fn slot(&self, name: &str) -> Option<Slot> {
        self.by_name.get(name).copied()
    }

    pub fn name(&self, slot: Slot) -> Option<&str> {
        Some(&self.documents.get(slot as usize)?.as_ref()?.name)
    }

    /// One more than the highest slot ever used.
    pub fn capacity(&self) -> usize {
        self.documents.len()
    }

    pub fn len(&self) -> usize {
        self.by_name.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    fn terms_of_piece(&mut self, piece: &str) -> Box<[TermId]> {
        if let Some(known) = self.pieces.get(piece) {
            return known.clone();
        }
        let mut found = Vec::new();
        tokens::each_term(piece, &mut |term| found.push(self.term_id(term)));
        for word in tokens::words(piece) {
            self.add_written(&tokens::fold(word));
        }
        let found: Box<[TermId]> = found.into();
        self.pieces.insert(piece.into(), found.clone());
        found
    }

    /// A word in the form it stands in, if it is another than its term's.
    fn add_written(&mut self, word: &str) {
        let stem = tokens::stem(word);
        if stem != word
            && let Some(&term) = self.terms.get(stem.as_ref())
            && self.written.insert(word.into())
        {
            self.neighbours.add(word, term);
        }
    }

    fn term_id(&mut self, term: &str) -> TermId {
        if let Some(&id) = self.terms.get(term) {
            return id;
        }
        let id = TermId::try_from(self.postings.len()).unwrap_or(TermId::MAX);
        self.postings.push(Vec::new());
        self.terms.insert(term.into(), id);
        self.neighbours.add(term, id);
        id
    }
}
