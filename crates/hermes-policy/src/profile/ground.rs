//! Where a policy stands: the folders its paths mean, and the names it may use. Nothing is looked up here;
//! whoever builds a policy says it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use hermes_core::ports::PathResolver;

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
    /// Folders for temporary files.
    pub temp: Vec<PathBuf>,
    /// Follows links in the paths of rules, so that a rule on a link is a rule on what it leads to.
    pub resolver: Option<Arc<dyn PathResolver>>,
}

impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ground")
            .field("home", &self.home)
            .field("hermes_home", &self.hermes_home)
            .field("cwd", &self.cwd)
            .field("temp", &self.temp)
            .finish_non_exhaustive()
    }
}

/// The names that exist. An empty table means that they are not known here, and then none is refused.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Every name and alias of a tool, to its canonical name.
    pub tools: BTreeMap<String, String>,
    pub toolsets: BTreeSet<String>,
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
