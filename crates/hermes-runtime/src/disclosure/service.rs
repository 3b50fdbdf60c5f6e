//! The library of all tools of a runtime: follows the registry tool by tool, and answers for any session
//! within what that session may see.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, Weak};

use hermes_core::ToolInfo;
use hermes_core::ports::CacheStore;
use hermes_search::encoder::Vector;
use hermes_search::{DefinitionHash, Learned, Library, Method, Query, Scope, Shelf};

use super::deferred::Deferred;
use super::document::document;
use super::embedding::{Embedding, embed_all};
use super::plan::is_deferrable;
use super::settings::SearchSettings;
use crate::registry::{Entry, Snapshot};

/// Names of the files in the cache.
const VECTORS: &str = "tool-vectors";
const LEARNED: &str = "tool-queries";
/// Sessions whose last search is remembered until a tool is called.
const MOST_SESSIONS: usize = 1_000;

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
}

/// What was found for a query, best first, by canonical name.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub names: Vec<String>,
    pub method: Method,
}

#[derive(Debug, Default)]
struct Held {
    library: Library,
    entries: HashMap<String, Weak<Entry>>,
    generation: u64,
    /// Grows when tools come or go: scopes made before are stale.
    revision: u64,
}

#[derive(Debug, Default)]
struct Uses {
    /// The last search of each session, the oldest first.
    searches: VecDeque<(String, String)>,
    learned: Learned,
}

struct Kept(Arc<dyn CacheStore>);

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Kept")
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
        if self.settings.learn
            && let Some(bytes) = store.load(LEARNED)
            && let Ok(learned) = serde_json::from_slice(&bytes)
        {
            self.uses.lock().unwrap_or_else(PoisonError::into_inner).learned = learned;
        }
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

    /// The deferred tools that fit a query.
    pub fn find(&self, query: &str, service: Option<&str>, limit: usize, deferred: &Deferred) -> Found {
        let held = self.read();
        let scope = deferred.scope(held.revision, || {
            held.library.scope(deferred.tools().map(|tool| tool.entry.info().name.as_str()))
        });
        self.search(&held.library, query, service, limit, &scope)
    }

    /// The tools with these names that fit a query, for people who look at a catalog.
    pub fn find_among<'a>(
        &self,
        query: &str,
        service: Option<&str>,
        limit: usize,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Found {
        let held = self.read();
        let scope = held.library.scope(names);
        self.search(&held.library, query, service, limit, &scope)
    }

    fn search(
        &self,
        library: &Library,
        query: &str,
        service: Option<&str>,
        limit: usize,
        scope: &Scope,
    ) -> Found {
        let answer = library.search(&Query { text: query, service, limit }, scope);
        let exact = answer.hits.iter().filter(|hit| hit.exact).count();
        let mut names: Vec<String> = answer.hits.into_iter().map(|hit| hit.name).collect();
        if self.settings.learn {
            let uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
            let learned = uses.learned.tools_for(query);
            let known = learned.into_iter().filter(|tool| library.is_in(tool, scope));
            // Moved up or added, never instead of another: the list grows by what was not in it.
            for (place, tool) in (exact..).zip(known) {
                match names.iter().position(|name| name == tool) {
                    Some(at) if at > place => {
                        let name = names.remove(at);
                        names.insert(place, name);
                    }
                    Some(_) => {}
                    None => names.insert(place.min(names.len()), tool.to_owned()),
                }
            }
        }
        Found { names, method: answer.method }
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

    /// Remembers what a session looked for.
    pub(super) fn searched(&self, session: &str, query: &str) {
        if !self.settings.learn {
            return;
        }
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        uses.searches.retain(|(known, _)| known != session);
        uses.searches.push_back((session.to_owned(), query.to_owned()));
        if uses.searches.len() > MOST_SESSIONS {
            uses.searches.pop_front();
        }
    }

    /// A tool was called with success: if it is a deferred one, it is what its session had searched for.
    pub(crate) fn used(&self, session: &str, tool: &ToolInfo) {
        if !self.settings.learn || !is_deferrable(tool) {
            return;
        }
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = uses.searches.iter().position(|(known, _)| known == session) else { return };
        let Some((_, query)) = uses.searches.remove(at) else { return };
        if uses.learned.remember(&tool.name, &query)
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

    pub(super) fn take_vectors(&self, made: impl Iterator<Item = (DefinitionHash, Vector)>) {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        for (hash, vector) in made {
            shelf.put(hash, vector);
        }
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        held.library.set_vectors(&|hash| shelf.get(hash));
    }

    /// Writes all vectors to the cache.
    pub(super) fn keep_vectors(&self) {
        let Some(Kept(store)) = self.store.get() else { return };
        let bytes = {
            let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
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
