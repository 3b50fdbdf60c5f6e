//! The catalog itself: ordered, byte-stable, with an epoch that says why it changed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use hermes_core::names;
use serde::Serialize;
use serde_json::Value;

use super::definition::Definition;
use crate::registry::Entry;
use crate::toolsets::Problem;

/// One tool as the session sees it.
#[derive(Clone, Debug)]
pub struct Listed {
    pub entry: Arc<Entry>,
    /// The name the model is shown.
    pub shown_name: String,
    /// The provider's definition object, made when it is looked at.
    pub definition: Definition,
}

/// A tool that the session asked for and does not get.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "hidden", content = "reason", rename_all = "snake_case")]
pub enum Hidden {
    Unavailable(String),
    /// The schema cannot be shown to this provider; the other tools go out without it.
    Quarantined(String),
}

/// Everything one session may see, sorted by toolset and name.
#[derive(Debug, Default)]
pub struct Catalog {
    /// Grows by one whenever the definitions change.
    pub epoch: u64,
    /// What changed since the epoch before.
    pub reason: String,
    pub tools: Vec<Listed>,
    pub hidden: BTreeMap<String, Hidden>,
    pub problems: Vec<Problem>,
    /// Canonical names, shown names and aliases, to the place in `tools`.
    pub(super) places: HashMap<String, usize>,
    pub(super) json: OnceLock<Arc<str>>,
}

impl Catalog {
    /// The tool behind a canonical name, shown name or alias; nothing outside this session's scope.
    pub fn get(&self, name: &str) -> Option<&Listed> {
        self.tools.get(*self.places.get(name)?)
    }

    /// The tool that a misspelt name clearly means.
    pub fn get_repaired(&self, name: &str) -> Option<&Listed> {
        self.get(names::repair(name, self.shown_names())?)
    }

    /// The names nearest to one that was not found.
    pub fn nearest(&self, name: &str, limit: usize) -> Vec<&str> {
        names::nearest(name, self.shown_names(), limit)
    }

    /// The names the model is shown, in catalog order.
    pub fn shown_names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.shown_name.as_str())
    }

    /// The canonical names, in catalog order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.entry.info().name.as_str())
    }

    /// The provider's tools array as JSON text: the same bytes as long as the epoch stands.
    pub fn definitions_json(&self) -> Arc<str> {
        let json = self.json.get_or_init(|| {
            let definitions: Vec<&Value> = self.tools.iter().map(|tool| &*tool.definition).collect();
            serde_json::to_string(&definitions).unwrap_or_else(|_| "[]".to_owned()).into()
        });
        Arc::clone(json)
    }
}

impl Hidden {
    /// The reason as one phrase.
    pub fn text(&self) -> &str {
        match self {
            Hidden::Unavailable(reason) | Hidden::Quarantined(reason) => reason,
        }
    }
}
