//! The plugins that the user enabled, kept in `<home>/plugins.json`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hermes_core::ToolError;
use hermes_host::home::Home;
use serde::{Deserialize, Serialize};

use super::describe::Described;
use super::folders::Place;
use super::grant::Grant;
use crate::kept::Kept;

/// What was agreed to about one plugin, and what it said of itself then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnabledPlugin {
    pub folder: PathBuf,
    pub place: Place,
    /// The content that was agreed to.
    pub digest: String,
    pub grant: Grant,
    /// The events it is asked about.
    #[serde(default)]
    pub hooks: Vec<String>,
    /// The answer to `describe` for that content, so that nothing need be started to list tools.
    pub described: Described,
}

/// The list.
#[derive(Clone, Debug)]
pub struct Enabled {
    kept: Kept<List>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    plugins: BTreeMap<String, EnabledPlugin>,
}

impl Enabled {
    pub fn of(home: &Home) -> Self {
        Enabled { kept: Kept::new(home, "plugins.json", "the list of plugins") }
    }

    /// Where the list lies.
    pub fn path(&self) -> PathBuf {
        self.kept.path()
    }

    /// All enabled plugins by id.
    pub fn all(&self) -> Result<BTreeMap<String, EnabledPlugin>, ToolError> {
        Ok(self.kept.read()?.plugins)
    }

    pub fn set(&self, id: &str, plugin: EnabledPlugin) -> Result<(), ToolError> {
        self.kept.edit(|list| {
            list.plugins.insert(id.to_owned(), plugin);
        })
    }

    /// Disables a plugin; true if it was enabled.
    pub fn remove(&self, id: &str) -> Result<bool, ToolError> {
        let mut known = false;
        self.kept.edit(|list| known = list.plugins.remove(id).is_some())?;
        Ok(known)
    }
}
