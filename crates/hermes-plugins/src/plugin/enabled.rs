//! The plugins that the user enabled, kept in `<home>/plugins.json`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hermes_core::{ErrorCode, ToolError};
use hermes_host::home::Home;
use hermes_host::private;
use serde::{Deserialize, Serialize};

use super::describe::Described;
use super::folders::Place;
use super::grant::Grant;

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
    home: Home,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    plugins: BTreeMap<String, EnabledPlugin>,
}

impl Enabled {
    pub fn of(home: &Home) -> Self {
        Enabled { home: home.clone() }
    }

    /// All enabled plugins by id.
    pub fn all(&self) -> Result<BTreeMap<String, EnabledPlugin>, ToolError> {
        Ok(self.read()?.plugins)
    }

    pub fn set(&self, id: &str, plugin: EnabledPlugin) -> Result<(), ToolError> {
        self.edit(|list| {
            list.plugins.insert(id.to_owned(), plugin);
        })
    }

    /// Disables a plugin; true if it was enabled.
    pub fn remove(&self, id: &str) -> Result<bool, ToolError> {
        let mut known = false;
        self.edit(|list| known = list.plugins.remove(id).is_some())?;
        Ok(known)
    }

    fn path(&self) -> PathBuf {
        self.home.root().join("plugins.json")
    }

    fn read(&self) -> Result<List, ToolError> {
        let text = match std::fs::read_to_string(self.path()) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(List::default()),
            Err(error) => return Err(fault("could not be read", &error)),
        };
        serde_json::from_str(&text).map_err(|error| fault("is damaged", &error))
    }

    fn edit(&self, change: impl FnOnce(&mut List)) -> Result<(), ToolError> {
        self.home.ensure()?;
        let unwritable = |error: std::io::Error| fault("could not be written", &error);
        let _lock = private::lock(&self.home.root().join("plugins.json.lock")).map_err(unwritable)?;
        let mut list = self.read()?;
        change(&mut list);
        let text =
            serde_json::to_string_pretty(&list).map_err(|error| fault("could not be written", &error))?;
        private::replace(&self.path(), text.as_bytes()).map_err(unwritable)
    }
}

fn fault(what: &str, error: &dyn std::fmt::Display) -> ToolError {
    ToolError::new(ErrorCode::Internal, format!("the list of plugins {what}"))
        .with_operator(error.to_string())
}
