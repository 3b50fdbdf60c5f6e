//! One path: what the table of sensitive and protected places says about it.

use std::path::Path;

use hermes_core::Permission;

use crate::paths::{Door, PathOp, PathVerdict, Places, classify};
use crate::profile::ground::Ground;

#[derive(Debug)]
pub(crate) struct PathFacts {
    pub(crate) verdict: PathVerdict,
}

impl PathFacts {
    /// Only file permissions are about the file itself.
    pub(crate) fn of(permission: &Permission, path: &Path, ground: &Ground, cwd: &Path) -> Option<Self> {
        let places = places(ground, cwd);
        let op = match permission.as_str() {
            "file:read" => PathOp::Read,
            // No file can come to be where the work is done; whoever writes there puts files into it, as archives are
            // unpacked, and each of them is judged by its own name.
            "file:write" if places.roots.iter().chain(&places.temp).any(|place| place == path) => {
                PathOp::Extract
            }
            "file:write" => PathOp::Write,
            "file:delete" => PathOp::Delete,
            _ => return None,
        };
        Some(PathFacts { verdict: classify(path, op, &places) })
    }
}

/// The folders that the table's verdicts depend on, for a session that works in `root`.
pub(super) fn places(ground: &Ground, root: &Path) -> Places {
    Places {
        home: ground.home.clone(),
        hermes_home: ground.hermes_home.clone(),
        roots: vec![root.to_owned()],
        temp: ground.temp.clone(),
        door: Door::Tools,
    }
}
