//! The files of tools that the user registered, and which secrets each may use where.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hermes_core::{ErrorCode, ToolError};
use hermes_host::home::Home;
use hermes_host::private;
use serde::{Deserialize, Serialize};

use crate::yaml::{Consent, ToolSpec};

/// One registered file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisteredFile {
    pub path: PathBuf,
    /// Variable and destination of every secret the user agreed to.
    #[serde(default)]
    pub agreed: BTreeSet<(String, String)>,
}

impl RegisteredFile {
    /// Agrees to exactly what the tools of the file use now.
    pub fn agreeing(path: PathBuf, tools: &[ToolSpec]) -> Self {
        RegisteredFile { path, agreed: tools.iter().flat_map(ToolSpec::secrets).collect() }
    }

    pub fn consent(&self) -> Consent {
        Consent::to(self.agreed.iter().cloned())
    }
}

/// The list, kept in `<home>/tools.json`.
#[derive(Clone, Debug)]
pub struct Registered {
    home: Home,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    files: Vec<RegisteredFile>,
}

impl Registered {
    pub fn of(home: &Home) -> Self {
        Registered { home: home.clone() }
    }

    /// All registered files, in order of registration.
    pub fn files(&self) -> Result<Vec<RegisteredFile>, ToolError> {
        Ok(self.read()?.files)
    }

    /// Adds a file, or replaces what was agreed to about it.
    pub fn add(&self, file: RegisteredFile) -> Result<(), ToolError> {
        self.edit(|list| {
            list.files.retain(|known| known.path != file.path);
            list.files.push(file);
        })
    }

    /// Forgets a file; true if it was known.
    pub fn remove(&self, path: &Path) -> Result<bool, ToolError> {
        let mut known = false;
        self.edit(|list| {
            let before = list.files.len();
            list.files.retain(|file| file.path != path);
            known = list.files.len() < before;
        })?;
        Ok(known)
    }

    /// Where the list lies.
    pub fn path(&self) -> PathBuf {
        self.home.root().join("tools.json")
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
        let _lock = private::lock(&self.home.root().join("tools.json.lock")).map_err(unwritable)?;
        let mut list = self.read()?;
        change(&mut list);
        let text =
            serde_json::to_string_pretty(&list).map_err(|error| fault("could not be written", &error))?;
        private::replace(&self.path(), text.as_bytes()).map_err(unwritable)
    }
}

fn fault(what: &str, error: &dyn std::fmt::Display) -> ToolError {
    ToolError::new(ErrorCode::Internal, format!("the list of registered tools {what}"))
        .with_operator(error.to_string())
}
