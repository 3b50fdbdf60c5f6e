//! The files of tools that the user registered, and which secrets each may use where.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hermes_core::ToolError;
use hermes_host::home::Home;
use serde::{Deserialize, Serialize};

use crate::kept::Kept;
use crate::yaml::{Consent, ToolSpec};

/// One registered file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisteredFile {
    pub path: PathBuf,
    /// Variable and destination of every secret the user agreed to.
    #[serde(default)]
    pub agreed: BTreeSet<(String, String)>,
    /// Tools of the file that the user lets stand in for others' of the same name.
    #[serde(default)]
    pub overrides: BTreeSet<String>,
}

impl RegisteredFile {
    /// Agrees to exactly what the tools of the file use now.
    pub fn agreeing(path: PathBuf, tools: &[ToolSpec]) -> Self {
        let agreed = tools.iter().flat_map(ToolSpec::secrets).collect();
        RegisteredFile { path, agreed, overrides: BTreeSet::new() }
    }

    /// Agrees to what the tools of the file want to stand in for, too.
    #[must_use]
    pub fn overriding(self, tools: &[ToolSpec]) -> Self {
        let wanted = tools.iter().filter(|tool| tool.overrides).map(|tool| tool.name.clone());
        RegisteredFile { overrides: wanted.collect(), ..self }
    }

    /// The tools that may stand in for others: the file says so and the user agreed.
    pub fn may_take(&self, tools: &[ToolSpec]) -> BTreeSet<String> {
        let wanted = tools.iter().filter(|tool| tool.overrides).map(|tool| tool.name.clone());
        wanted.filter(|name| self.overrides.contains(name)).collect()
    }

    pub fn consent(&self) -> Consent {
        Consent::to(self.agreed.iter().cloned())
    }
}

/// The list, kept in `<home>/tools.json`.
#[derive(Clone, Debug)]
pub struct Registered {
    kept: Kept<List>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    files: Vec<RegisteredFile>,
}

impl Registered {
    pub fn of(home: &Home) -> Self {
        Registered { kept: Kept::new(home, "tools.json", "the list of registered tools") }
    }

    /// All registered files, in order of registration.
    pub fn files(&self) -> Result<Vec<RegisteredFile>, ToolError> {
        Ok(self.kept.read()?.files)
    }

    /// The registered file that a path leads to, by whatever name it was registered.
    pub fn find(&self, path: &Path) -> Result<Option<RegisteredFile>, ToolError> {
        let files = self.files()?;
        let real = path.canonicalize().ok();
        let is_it = |file: &&RegisteredFile| file.path.canonicalize().ok() == real;
        let same = files.iter().find(|file| file.path == path);
        Ok(same.or_else(|| real.as_ref().and_then(|_| files.iter().find(is_it))).cloned())
    }

    /// Adds a file, or replaces what was agreed to about it.
    pub fn add(&self, file: RegisteredFile) -> Result<(), ToolError> {
        self.kept.edit(|list| {
            list.files.retain(|known| known.path != file.path);
            list.files.push(file);
        })
    }

    /// Forgets a file; true if it was known.
    pub fn remove(&self, path: &Path) -> Result<bool, ToolError> {
        let mut known = false;
        self.kept.edit(|list| {
            let before = list.files.len();
            list.files.retain(|file| file.path != path);
            known = list.files.len() < before;
        })?;
        Ok(known)
    }

    /// Where the list lies.
    pub fn path(&self) -> PathBuf {
        self.kept.path()
    }
}
