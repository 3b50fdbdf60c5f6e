//! The tools of one session as the bridge sees them.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use hermes_core::{ErrorCode, ToolError, names};
use hermes_search::Scope;

use super::directory::sources;
use super::plan::is_deferrable;
use crate::catalog::Listed;
use crate::registry::Snapshot;

/// Everything the session may call, with what of it is deferred. Nothing else can be found, described or
/// called through the bridge.
#[derive(Debug)]
pub struct Deferred {
    tools: Vec<Listed>,
    registered: Arc<Snapshot>,
    /// Every name and alias, to the place in `tools`.
    places: HashMap<String, usize>,
    /// The session's parts of the library, as of a revision of it.
    deferred_scope: KeptScope,
    whole_scope: KeptScope,
}

type KeptScope = Mutex<Option<(u64, Arc<Scope>)>>;

impl Deferred {
    pub(crate) fn new(tools: Vec<Listed>, registered: Arc<Snapshot>) -> Self {
        let mut places = HashMap::with_capacity(tools.len());
        for (place, tool) in tools.iter().enumerate() {
            for name in tool.entry.info().all_names() {
                places.insert(name.to_owned(), place);
            }
        }
        Deferred {
            tools,
            registered,
            places,
            deferred_scope: KeptScope::default(),
            whole_scope: KeptScope::default(),
        }
    }

    /// The registry as it was when the session's catalog was made.
    pub(super) fn registered(&self) -> &Snapshot {
        &self.registered
    }

    /// The deferred tools, in catalog order.
    pub fn tools(&self) -> impl Iterator<Item = &Listed> {
        self.tools.iter().filter(|tool| is_deferrable(tool.entry.info()))
    }

    pub fn len(&self) -> usize {
        self.tools().count()
    }

    pub fn is_empty(&self) -> bool {
        self.tools().next().is_none()
    }

    /// A tool of the session, deferred or not.
    pub fn get(&self, name: &str) -> Option<&Listed> {
        self.tools.get(*self.places.get(name)?)
    }

    /// The same for a name that may be misspelt; unknown and forbidden names answer alike.
    pub fn find(&self, name: &str) -> Result<&Listed, ToolError> {
        let shown = || self.tools.iter().map(|tool| tool.shown_name.as_str());
        let found = self.get(name).or_else(|| self.get(names::repair(name, shown())?));
        found.ok_or_else(|| {
            // Bounded where it is redacted: half a secret would not be known for one.
            let text = format!("there is no tool '{name}' in this session");
            let error = ToolError::new(ErrorCode::NotFound, text);
            match names::nearest(name, shown(), 3).as_slice() {
                [] => error,
                nearest => error.with_hint(format!("Did you mean {}?", nearest.join(" or "))),
            }
        })
    }

    /// Sources with the number of their deferred tools.
    pub fn sources(&self) -> BTreeMap<String, usize> {
        sources(self.tools())
    }

    /// The names in a text that are written as only names are.
    pub(super) fn named_in<'a>(&self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        words.filter(|word| word.contains('_') && self.places.contains_key(*word))
    }

    /// Everything the session may call, by canonical name.
    pub(super) fn all_names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.entry.info().name.as_str())
    }

    /// Names like the words of a query that found nothing.
    pub fn near(&self, query: &str, limit: usize) -> Vec<&str> {
        names::nearest(query, self.tools().map(|tool| tool.shown_name.as_str()), limit)
    }

    /// The scope of the deferred tools at a revision of the library.
    pub(super) fn scope(&self, revision: u64, make: impl FnOnce() -> Scope) -> Arc<Scope> {
        kept(&self.deferred_scope, revision, make)
    }

    /// The scope of all tools at a revision of the library.
    pub(super) fn whole_scope(&self, revision: u64, make: impl FnOnce() -> Scope) -> Arc<Scope> {
        kept(&self.whole_scope, revision, make)
    }
}

fn kept(place: &KeptScope, revision: u64, make: impl FnOnce() -> Scope) -> Arc<Scope> {
    let mut kept = place.lock().unwrap_or_else(PoisonError::into_inner);
    match &*kept {
        Some((at, scope)) if *at == revision => Arc::clone(scope),
        _ => {
            let scope = Arc::new(make());
            *kept = Some((revision, Arc::clone(&scope)));
            scope
        }
    }
}
