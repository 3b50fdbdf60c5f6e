//! Which files two folders have.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hermes_core::ToolError;
use hermes_host::files::FileDoor;
use hermes_host::workspace::{EntryKind, WalkOptions};

use crate::file::find::names::{NameVisitor, merge};

/// The files below a folder.
fn files(door: &FileDoor<'_>, path: &str) -> Result<BTreeSet<PathBuf>, ToolError> {
    let options = WalkOptions { hidden: true, ignore: false, max_depth: None };
    let is_file = |_: &Path, kind: EntryKind| kind == EntryKind::File;
    let walked = door.walk(path, options, || NameVisitor::new(is_file))?;
    Ok(merge(walked.visitors).0.into_iter().collect())
}

/// Every file that is in either folder, sorted, and in which.
pub(crate) fn pair(
    door: &FileDoor<'_>,
    left: &str,
    right: &str,
) -> Result<Vec<(PathBuf, bool, bool)>, ToolError> {
    let (left, right) = (files(door, left)?, files(door, right)?);
    let all: BTreeSet<&PathBuf> = left.union(&right).collect();
    Ok(all.into_iter().map(|path| (path.clone(), left.contains(path), right.contains(path))).collect())
}
