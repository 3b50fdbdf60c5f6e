//! Everything that can be found.

use std::collections::HashSet;

use crate::described::described_in_english;
use crate::document::{DefinitionHash, Document};
use crate::encoder::{Vector, Vectors, tool_text};
use crate::exact::Names;
use crate::index::{Index, Scope, Slot};
use crate::scripts::Scripts;

/// Documents with their index, names and vectors. Sessions search it through scopes.
#[derive(Debug, Default)]
pub struct Library {
    pub(crate) index: Index,
    pub(crate) names: Names,
    pub(crate) vectors: Vectors,
    documents: Vec<Option<Kept>>,
}

/// What is left of a document once it is indexed.
#[derive(Debug)]
struct Kept {
    name: String,
    hash: DefinitionHash,
    /// What the encoder will read.
    text: Box<str>,
    /// What it will not.
    scripts: Scripts,
    /// Whose words were translated.
    is_translated: bool,
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
            let scripts = Scripts::mainly_of(&document.description);
            let is_translated = described_in_english(&document.description).is_some();
            *at = Some(Kept {
                text: tool_text(&document).into(),
                scripts,
                is_translated,
                name: document.name,
                hash,
            });
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

    /// What the vector of a document is made of.
    pub(crate) fn to_embed(&self, slot: Slot) -> Option<(DefinitionHash, String)> {
        self.kept(slot).map(|kept| (kept.hash, kept.text.to_string()))
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

    /// The scripts that a document is described in, beside the Latin one.
    pub(crate) fn scripts(&self, slot: Slot) -> Scripts {
        self.kept(slot).map(|kept| kept.scripts).unwrap_or_default()
    }

    /// Whether a document is in another language, and was given English words.
    pub(crate) fn is_translated(&self, slot: Slot) -> bool {
        self.kept(slot).is_some_and(|kept| kept.is_translated)
    }

    fn kept(&self, slot: Slot) -> Option<&Kept> {
        self.documents.get(slot as usize)?.as_ref()
    }
}
