//! One path: what the table of sensitive and protected places says about it.

use std::path::Path;

use hermes_core::Access;

use crate::paths::{Door, PathOp, PathVerdict, Places, classify};
use crate::profile::ground::Ground;

#[derive(Debug)]
pub(crate) struct PathFacts {
    pub(crate) verdict: PathVerdict,
}

impl PathFacts {
    /// What would be done to the file. Only file permissions are about the file itself.
    pub(crate) fn op(access: &Access) -> Option<PathOp> {
        match access.permission.as_str() {
            "file:read" => Some(PathOp::Read),
            "file:write" if access.into => Some(PathOp::Extract),
            "file:write" => Some(PathOp::Write),
            "file:delete" => Some(PathOp::Delete),
            _ => None,
        }
    }

    pub(crate) fn judge(path: &Path, op: PathOp, ground: &Ground, cwd: &Path) -> PathVerdict {
        classify(path, op, &places(ground, cwd))
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
