//! The folder where Hermes keeps everything of its own: `HERMES_HOME`, or `~/.hermes`.

use std::path::{Path, PathBuf};

use hermes_core::{ErrorCode, ToolError};

use crate::env::Env;
use crate::state::files;

/// Where things lie. Paths are only names until [`Home::ensure`] or a store creates them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// A home at a given place, for tests and for applications that decide themselves.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Home { root: root.into() }
    }

    /// `HERMES_HOME` if set, otherwise `~/.hermes`. A relative `HERMES_HOME` is refused: the folder
    /// somebody happens to stand in must not choose whose permissions and keys are used.
    pub fn resolve(env: &Env) -> Result<Self, ToolError> {
        let user_home = env.get("HOME").map(Path::new).filter(|home| home.is_absolute());
        let Some(wanted) = env.get("HERMES_HOME") else {
            let user_home = user_home.ok_or_else(no_home)?;
            return Ok(Home::at(user_home.join(".hermes")));
        };
        if wanted == "~" || wanted.starts_with("~/") {
            let user_home = user_home.ok_or_else(no_home)?;
            let rest = wanted.trim_start_matches('~').trim_start_matches('/');
            return Ok(Home::at(user_home.join(rest)));
        }
        if !Path::new(wanted).is_absolute() {
            return Err(ToolError::invalid(format!(
                "HERMES_HOME must be an absolute path, but it is '{wanted}'"
            )));
        }
        Ok(Home::at(wanted))
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The database of the journal and of session state.
    pub fn state_db(&self) -> PathBuf {
        self.root.join("state.db")
    }

    /// One locked file for each process that writes the journal.
    pub fn writers_dir(&self) -> PathBuf {
        self.root.join("writers")
    }

    /// Large results, by content.
    pub fn results_dir(&self) -> PathBuf {
        self.root.join("results")
    }

    /// What files were before tools changed them.
    pub fn undo_dir(&self) -> PathBuf {
        self.root.join("undo")
    }

    /// What commits of several files are about to do, while they are under way.
    pub fn commits_dir(&self) -> PathBuf {
        self.root.join("commits")
    }

    pub fn env_file(&self) -> PathBuf {
        self.root.join(".env")
    }

    pub fn config_file(&self) -> PathBuf {
        self.root.join("config.yaml")
    }

    /// What can be made again.
    pub fn cache_dir(&self) -> PathBuf {
        self.root.join("cache")
    }

    pub fn logs_dir(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// Creates the folder, readable by its owner only. An existing folder keeps the mode it has.
    pub fn ensure(&self) -> Result<(), ToolError> {
        files::private_dir(&self.root).map_err(|error| {
            ToolError::internal("the folder of Hermes's own state could not be created")
                .with_operator(format!("{}: {error}", self.root.display()))
        })
    }
}

fn no_home() -> ToolError {
    ToolError::new(ErrorCode::Unavailable, "neither HERMES_HOME nor HOME names a folder")
        .with_hint("set HERMES_HOME to an absolute path")
}
