//! What was changed since a program began, by the one time of a file that nobody sets.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Clocks of files go in steps.
const STEP: Duration = Duration::from_secs(1);

pub(super) fn is_changed(facts: &Metadata, start: SystemTime) -> bool {
    UNIX_EPOCH + Duration::from_secs(facts.ctime().unsigned_abs()) + STEP >= start
}

/// Whether it, or a folder that it lies in, was made, changed or moved since then.
pub(super) fn came_since(start: SystemTime, path: &Path, top: &Path) -> bool {
    let mut parts = path.ancestors().take_while(|above| *above != top);
    parts.any(|part| fs::symlink_metadata(part).is_ok_and(|facts| is_changed(&facts, start)))
}
