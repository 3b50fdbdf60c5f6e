//! An immutable view of the registry at one generation.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use hermes_core::Owner;

use super::Entry;

/// All tools at one moment. Cloning the `Arc` around it is all a reader ever does.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub generation: u64,
    pub(super) entries: BTreeMap<String, Arc<Entry>>,
    /// Every alias and chapter name, to the canonical name.
    pub(super) aliases: HashMap<String, String>,
    /// Tools whose names somebody was allowed to take; they are back when the names are free again.
    pub(super) covered: Vec<Arc<Entry>>,
    /// Names that the change to this generation took away.
    removed: BTreeSet<String>,
}

impl Snapshot {
    /// The tool with this canonical name or alias.
    pub fn get(&self, name: &str) -> Option<&Arc<Entry>> {
        self.entries.get(self.canonical(name)?)
    }

    /// The canonical form of a name or alias.
    pub fn canonical<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        match self.entries.get_key_value(name) {
            Some((canonical, _)) => Some(canonical),
            None => self.aliases.get(name).map(String::as_str),
        }
    }

    /// Whether the name, canonical or alias, went with the change to this generation.
    pub fn was_removed(&self, name: &str) -> bool {
        self.removed.contains(name)
    }

    /// Makes this the generation after `before`.
    pub(super) fn follow(&mut self, before: &Snapshot) {
        self.generation = before.generation + 1;
        let gone = before.entries.values().filter(|entry| !self.entries.contains_key(&entry.info().name));
        let names = gone.flat_map(|entry| entry.info().all_names());
        self.removed = names.filter(|name| self.holder(name).is_none()).map(str::to_owned).collect();
    }

    /// All tools, sorted by canonical name.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.values()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Who holds a name, be it canonical or an alias.
    pub(super) fn holder(&self, name: &str) -> Option<&Arc<Entry>> {
        self.get(name)
    }

    pub(super) fn insert(&mut self, entry: Arc<Entry>) {
        let canonical = entry.info().name.clone();
        self.remove(&canonical);
        for alias in entry.info().all_names().filter(|name| *name != canonical) {
            self.aliases.insert(alias.to_owned(), canonical.clone());
        }
        self.entries.insert(canonical, entry);
    }

    pub(super) fn remove(&mut self, canonical: &str) -> Option<Arc<Entry>> {
        let removed = self.entries.remove(canonical)?;
        self.aliases.retain(|_, target| target != canonical);
        Some(removed)
    }

    /// Forgets the owner's covered tools and says what they were called.
    pub(super) fn forget_covered(&mut self, owner: &Owner) -> Vec<String> {
        let mine = self.covered.extract_if(.., |entry| entry.owner == *owner);
        mine.map(|entry| entry.info().name.clone()).collect()
    }

    /// Brings back what nobody covers any more, with a life of its own: what it had was ended.
    pub(super) fn uncover(&mut self) {
        for entry in std::mem::take(&mut self.covered) {
            if entry.info().all_names().any(|name| self.holder(name).is_some()) {
                self.covered.push(entry);
            } else {
                self.insert(Arc::new(Entry::new(entry.owner.clone(), Arc::clone(&entry.tool))));
            }
        }
    }
}
