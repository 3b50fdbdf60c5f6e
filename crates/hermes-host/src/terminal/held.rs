//! Programs of other tools, held to the rules as commands are.

use std::path::PathBuf;

use hermes_core::{CallContext, ToolError};

use super::door::Terminals;
use super::script;
use super::walls::Walls;
use crate::places::{Vacant, without_planted_links};
use crate::process::Confinement;

impl Terminals {
    /// The walls around a program of a tool, and within them what the rules in force keep from every command of the
    /// session. Touches the disk.
    pub fn hold_to_rules(&self, own: Confinement, cx: &CallContext) -> Result<Confinement, ToolError> {
        let Some(Walls { confinement: rules, .. }) = self.inner.walls_here(None, cx)? else {
            let writable = own.writable.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
            return Ok(Confinement { writable, ..own });
        };
        let real = |folder: &PathBuf| without_planted_links(folder, &rules.writable);
        let open: Vec<PathBuf> = own.writable.iter().filter_map(real).collect();
        let is_within = |path: &PathBuf| open.iter().any(|folder| path.starts_with(folder));
        let vacant = rules.vacant.filter(|vacant| is_within(&vacant.folder));
        // Folders that may not be moved are writable by themselves; no other is opened here.
        let pinned = rules.writable.into_iter().filter(is_within);
        Ok(Confinement {
            writable: open.iter().cloned().chain(pinned).collect(),
            protected: own
                .protected
                .into_iter()
                .chain(rules.protected.into_iter().filter(is_within))
                .collect(),
            hidden: own.hidden.into_iter().chain(rules.hidden.into_iter().filter(is_within)).collect(),
            vacant: vacant.map(|vacant| Vacant { name: script::new_mark(), ..vacant }),
            ..own
        })
    }
}
