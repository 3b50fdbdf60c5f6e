//! The library of all tools of a runtime: follows the registry tool by tool, and answers for any session
//! within what that session may see.

mod finding;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, Weak};
use std::time::Duration;

use hermes_core::ToolInfo;
use hermes_core::ports::CacheStore;
use hermes_search::encoder::Vector;
use hermes_search::{DefinitionHash, Fit, Library, Method, Scope, Shelf};

use super::deferred::Deferred;
use super::document::document;
use super::embedding::{Embedding, embed_all};
use super::kept::Kept;
use super::plan::is_deferrable;
use super::settings::SearchSettings;
use super::unsaved::Unsaved;
use super::uses::Uses;
use crate::registry::{Entry, Snapshot};

/// Names of the files in the cache.
const VECTORS: &str = "tool-vectors";
const LEARNED: &str = "tool-queries";
const SEARCHES: &str = "tool-searches";

/// Tool search of one runtime.
#[derive(Debug)]
pub struct ToolSearch {
    settings: SearchSettings,
    held: RwLock<Held>,
    embedding: Embedding,
    shelf: Mutex<Shelf>,
    store: OnceLock<Kept>,
    loaded: OnceLock<()>,
    uses: Mutex<Uses>,
    uses_loaded: OnceLock<()>,
    unsaved: Unsaved,
}

/// What was found for a query, best first, by canonical name.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub names: Vec<String>,
    /// How many of them, the first, the query named.
    pub named: usize,
    pub method: Method,
    pub fit: Fit,
}

#[derive(Debug, Default)]
struct Held {
    library: Library,
    entries: HashMap<String, Weak<Entry>>,
    generation: u64,
    /// Grows when tools come or go: scopes made before are stale.
    revision: u64,
}

impl Held {
    fn scope(&self, deferred: &Deferred) -> Arc<Scope> {
        deferred.scope(self.revision, || {
            self.library.scope(deferred.tools().map(|tool| tool.entry.info().name.as_str()))
        })
    }
}

impl ToolSearch {
    pub(crate) fn new(settings: SearchSettings) -> Arc<Self> {
        Arc::new(ToolSearch {
            settings: settings.clamped(),
            held: RwLock::default(),
            embedding: Embedding::default(),
            shelf: Mutex::default(),
            store: OnceLock::new(),
            loaded: OnceLock::new(),
            uses: Mutex::default(),
            uses_loaded: OnceLock::new(),
            unsaved: Unsaved::default(),
        })
    }

    pub fn settings(&self) -> &SearchSettings {
        &self.settings
    }

    /// Keeps vectors and learned queries in `store` from now on. What it already has is read at the first
    /// search: most commands never search.
    pub fn keep_in(&self, store: Arc<dyn CacheStore>) {
        let _ = self.store.set(Kept(store));
    }

    fn load(&self) {
        let Some(Kept(store)) = self.store.get() else { return };
        if let Some(bytes) = store.load(VECTORS) {
            *self.shelf.lock().unwrap_or_else(PoisonError::into_inner) = Shelf::read(&bytes);
        }
    }

    /// What sessions searched for and what they found, also in processes before this one.
    fn uses(&self) -> MutexGuard<'_, Uses> {
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        self.uses_loaded.get_or_init(|| {
            let Some(Kept(store)) = self.store.get() else { return };
            uses.read(store.load(LEARNED), store.load(SEARCHES));
        });
        uses
    }

    /// Brings the library to the registry's state: only what changed is indexed.
    pub fn follow(&self, registered: &Snapshot) {
        if self.read().generation >= registered.generation {
            return;
        }
        self.loaded.get_or_init(|| self.load());
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        if held.generation >= registered.generation {
            return;
        }
        held.generation = registered.generation;
        let before = std::mem::take(&mut held.entries);
        let mut changed = false;
        for entry in registered.entries() {
            let info = entry.info();
            let same = before.get(&info.name).is_some_and(|old| old.as_ptr() == Arc::as_ptr(entry));
            if !same {
                held.library.insert(document(info, &entry.owner, &self.settings));
                changed = true;
            }
            held.entries.insert(info.name.clone(), Arc::downgrade(entry));
        }
        for name in before.keys() {
            if !held.entries.contains_key(name) {
                held.library.remove(name);
                changed = true;
            }
        }
        held.revision += u64::from(changed);
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        held.library.set_vectors(&|hash| shelf.get(hash));
    }

    /// Starts embedding what has no vector, if the encoder is wanted.
    pub fn embed_in_background(self: &Arc<Self>) {
        if self.settings.encoder && !self.without_vector(1).is_empty() {
            self.embedding.start(self);
        }
    }

    /// Embeds what has no vector, and waits for it.
    pub fn embed_now(&self) {
        if self.settings.encoder && !self.without_vector(1).is_empty() {
            embed_all(self);
            self.keep_vectors();
        }
    }

    /// Lets what is being embedded come to an end, but waits no longer than that, and keeps what there is: one
    /// search may be all that a process does, and the next one is to know what this one found out.
    pub(crate) async fn settle(self: &Arc<Self>, most: Duration) {
        if !self.embedding.is_running() {
            return;
        }
        let search = Arc::clone(self);
        let settled = tokio::task::spawn_blocking(move || {
            search.embedding.wait(most);
            search.keep_vectors();
        });
        if let Err(error) = settled.await {
            tracing::warn!(%error, "vectors could not be kept");
        }
    }

    /// Remembers what a session looked for, and what it was shown: its next call may come in another process.
    pub(super) fn searched(&self, session: &str, queries: &[String], found: &[Found]) {
        if !self.settings.learn {
            return;
        }
        let mut uses = self.uses();
        for (query, found) in queries.iter().zip(found) {
            uses.searched(session, query, &found.names);
        }
        if let Some(Kept(store)) = self.store.get()
            && let Some(bytes) = uses.searches(session, store.load(SEARCHES))
            && let Err(error) = store.save(SEARCHES, &bytes)
        {
            tracing::warn!(%error, "what was searched for could not be kept");
        }
    }

    /// A tool was called with success: if its session had searched and been shown it, it is what it had
    /// searched for.
    pub(crate) fn used(&self, session: &str, tool: &ToolInfo) {
        if !self.settings.learn || !is_deferrable(tool) {
            return;
        }
        let mut uses = self.uses();
        if uses.used(session, &tool.name)
            && let Some(Kept(store)) = self.store.get()
            && let Ok(bytes) = serde_json::to_vec(&uses.learned)
            && let Err(error) = store.save(LEARNED, &bytes)
        {
            tracing::warn!(%error, "what was learned from a search could not be kept");
        }
    }

    pub(super) fn embedding(&self) -> &Embedding {
        &self.embedding
    }

    pub(super) fn without_vector(&self, most: usize) -> Vec<(DefinitionHash, String)> {
        self.read().library.without_vector(most)
    }

    /// Takes new vectors in, and keeps them when there are enough to be worth a file.
    pub(super) fn take_vectors(&self, made: Vec<(DefinitionHash, Vector)>) {
        let enough = {
            let count = made.len();
            let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
            for (hash, vector) in made {
                shelf.put(hash, vector);
            }
            let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
            held.library.set_vectors(&|hash| shelf.get(hash));
            self.unsaved.add(count, shelf.len())
        };
        if enough {
            self.keep_vectors();
        }
    }

    /// Writes all vectors to the cache, with those that another process wrote meanwhile.
    pub(super) fn keep_vectors(&self) {
        let Some(Kept(store)) = self.store.get() else { return };
        if !self.unsaved.take() {
            return;
        }
        let others = store.load(VECTORS).map(|bytes| Shelf::read(&bytes)).unwrap_or_default();
        let bytes = {
            let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
            shelf.add(others);
            let in_use = self.read().library.hashes();
            shelf.write(&|hash| in_use.contains(hash))
        };
        if let Err(error) = store.save(VECTORS, &bytes) {
            tracing::warn!(%error, "vectors could not be kept");
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Held> {
        self.held.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ToolSearch {
    /// A short process leaves its part to the next one.
    fn drop(&mut self) {
        self.keep_vectors();
    }
}
