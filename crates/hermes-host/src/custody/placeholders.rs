//! Folders that stand in for protected places that are not there yet: something must be there to be made
//! read-only. They go away with the last program that needed them.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

/// Nobody gives a folder these modes by accident: they say it is ours to remove.
const OURS: u32 = 0o1555;

/// Held as long as a program needs them.
pub(super) struct Placeholders(Vec<(PathBuf, File)>);

impl Placeholders {
    /// Makes the missing ones, where the folder around them is there.
    pub(super) fn make(protected: &[PathBuf]) -> Self {
        Placeholders(protected.iter().filter_map(|path| Some((path.clone(), hold(path)?))).collect())
    }

    /// Removes those that no other program holds.
    pub(super) fn remove(self) {
        for (path, folder) in self.0 {
            if flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok() {
                let _ = fs::remove_dir(&path);
            }
        }
    }
}

fn hold(path: &Path) -> Option<File> {
    // It may be there, and another program may remove it between our looking and our holding it.
    for _ in 0..8 {
        if fs::DirBuilder::new().mode(0o700).create(path).is_ok() {
            fs::set_permissions(path, Permissions::from_mode(OURS)).ok()?;
        }
        let folder = File::open(path).ok()?;
        if folder.metadata().ok()?.permissions().mode() & 0o7777 != OURS {
            return None;
        }
        flock(&folder, FlockOperation::NonBlockingLockShared).ok()?;
        if path.exists() {
            return Some(folder);
        }
    }
    None
}
