//! Where a policy stands: the folders its paths mean, and the names it may use. Nothing is looked up here;
//! whoever builds a policy says it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hermes_core::Effect;
use hermes_core::ports::PathResolver;
use serde_json::Value;

use crate::command::Stage;

/// The folders that `~`, relative paths and command analysis refer to. All are absolute and without symlinks.
#[derive(Clone, Default)]
pub struct Ground {
    /// The user's home, written `~`.
    pub home: PathBuf,
    /// Hermes's own folder.
    pub hermes_home: PathBuf,
    /// Where sessions start. Rules are judged by each session's own folder; this one only tells which links
    /// the written paths lead through.
    pub cwd: PathBuf,
    /// Home and Hermes's own folder as the user writes them, where links lead to the ones above.
    pub spelled: Vec<Spelling>,
    /// Folders for temporary files.
    pub temp: Vec<PathBuf>,
    /// Whether tools may reach this machine and the private network around it without a rule that names the host.
    pub local_network: bool,
    /// Follows links in the paths of rules, so that a rule that closes a link closes what it leads to.
    pub resolver: Option<Arc<dyn PathResolver>>,
}

/// Another spelling of the same two folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    pub home: PathBuf,
    pub hermes_home: PathBuf,
}

impl Ground {
    /// Where a command of a session that works in `roots` runs if it is started in `folder`: once for every
    /// spelling of the folders that must be protected. Every judge of commands stands on these stages.
    pub fn stages(&self, folder: &Path, roots: &[&Path]) -> Vec<Stage> {
        let shown = |path: &Path| path.display().to_string();
        let stage = |home: &Path, hermes_home: &Path| Stage {
            home: shown(home),
            cwd: shown(folder),
            writable: roots.iter().copied().chain(self.temp.iter().map(AsRef::as_ref)).map(shown).collect(),
            hermes_home: shown(hermes_home),
        };
        let first = stage(&self.home, &self.hermes_home);
        let others = self.spelled.iter().map(|spelling| stage(&spelling.home, &spelling.hermes_home));
        std::iter::once(first).chain(others).collect()
    }
}

impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ground")
            .field("home", &self.home)
            .field("hermes_home", &self.hermes_home)
            .field("cwd", &self.cwd)
            .field("spelled", &self.spelled)
            .field("temp", &self.temp)
            .field("local_network", &self.local_network)
            .finish_non_exhaustive()
    }
}

/// The names that exist. An empty table means that they are not known here, and then none is refused.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Every name and alias of a tool, to its canonical name.
    pub tools: BTreeMap<String, String>,
    pub toolsets: BTreeSet<String>,
    /// What is known about registered tools, by their canonical names.
    pub facts: BTreeMap<String, KnownTool>,
}

/// What a registered tool says of itself.
#[derive(Clone, Debug)]
pub struct KnownTool {
    pub toolset: String,
    /// Not from a server or a plugin.
    pub built_in: bool,
    pub effect: Effect,
    /// The schema of its arguments.
    pub parameters: Value,
}

impl Known {
    /// The canonical form of a tool's name. Servers may name their tools with double underscores.
    pub(super) fn canonical(&self, name: &str) -> String {
        match self.tools.get(name) {
            Some(canonical) => canonical.clone(),
            None if name.starts_with("mcp__") => name.replace("__", "_"),
            None => name.to_owned(),
        }
    }

    /// Tools of servers come and go, so their names are never refused.
    pub(super) fn may_be_tool(&self, name: &str) -> bool {
        self.tools.is_empty() || self.tools.contains_key(name) || name.starts_with("mcp_")
    }
}
