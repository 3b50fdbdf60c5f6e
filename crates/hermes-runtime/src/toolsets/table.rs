//! The toolsets of a process: those that ship with it and those defined later.

use std::collections::BTreeMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use hermes_core::names;

use super::data::{Toolset, ToolsetFile};

/// Why a toolset could not be defined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolsetError {
    #[error("'{0}' is not a valid toolset name: use 1 to 64 letters, digits, '_', '-' or '.'")]
    InvalidName(String),
    #[error("'{0}' is a built-in toolset; choose another name")]
    BuiltIn(String),
    #[error("the toolset file cannot be read: {0}")]
    Unreadable(String),
}

/// All toolsets. Like the registry, readers take immutable snapshots.
pub struct Toolsets {
    current: ArcSwap<Table>,
}

/// The toolsets at one moment.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub generation: u64,
    pub file: Arc<ToolsetFile>,
    pub custom: BTreeMap<String, Toolset>,
}

impl Toolsets {
    pub fn new(file: ToolsetFile) -> Self {
        Toolsets { current: ArcSwap::from_pointee(Table { file: Arc::new(file), ..Table::default() }) }
    }

    /// Reads the toolsets from YAML text.
    pub fn from_yaml(text: &str) -> Result<Self, ToolsetError> {
        let file =
            serde_saphyr::from_str(text).map_err(|error| ToolsetError::Unreadable(error.to_string()))?;
        Ok(Self::new(file))
    }

    pub fn table(&self) -> Arc<Table> {
        self.current.load_full()
    }

    pub fn generation(&self) -> u64 {
        self.current.load().generation
    }

    /// Defines or redefines a custom toolset. Sessions see it at their next look at the catalog.
    pub fn define(&self, name: &str, toolset: Toolset) -> Result<(), ToolsetError> {
        if !names::is_valid(name) || matches!(name, "all" | "*") {
            return Err(ToolsetError::InvalidName(name.to_owned()));
        }
        if self.current.load().file.toolsets.contains_key(name) {
            return Err(ToolsetError::BuiltIn(name.to_owned()));
        }
        self.current.rcu(|table| {
            let mut next = Table::clone(table);
            next.custom.insert(name.to_owned(), toolset.clone());
            next.generation += 1;
            next
        });
        Ok(())
    }

    /// Forgets a custom toolset; true if there was one.
    pub fn undefine(&self, name: &str) -> bool {
        let known = self.current.load().custom.contains_key(name);
        if known {
            self.current.rcu(|table| {
                let mut next = Table::clone(table);
                next.custom.remove(name);
                next.generation += 1;
                next
            });
        }
        known
    }
}

impl Table {
    pub fn get(&self, name: &str) -> Option<&Toolset> {
        self.custom.get(name).or_else(|| self.file.toolsets.get(name))
    }

    /// All toolset names, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.file.toolsets.keys().chain(self.custom.keys()).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
