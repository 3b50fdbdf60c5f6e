//! Takes away what a killed process left behind.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{AtFlags, Dir, FileType, fstat, statat, unlinkat};
use rustix::process::geteuid;

use super::folder::Folder;

/// The folders that this process has swept already.
#[derive(Clone, Debug, Default)]
pub(crate) struct Swept(Arc<Mutex<HashSet<(u64, u64)>>>);

impl Swept {
    /// Removes unfinished files from a folder, once. Only for whoever holds the folder's lock: every writer
    /// holds it while its temporary file exists, so any that is there now has no writer any more.
    pub(super) fn sweep(&self, folder: &Folder) {
        let Ok(stat) = fstat(folder.handle()) else { return };
        let key = (stat.st_dev, stat.st_ino);
        if !self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key) {
            return;
        }
        let Ok(mut names) = Dir::read_from(folder.handle()) else { return };
        while let Some(Ok(entry)) = names.read() {
            let name = entry.file_name();
            let is_ours = |stat: rustix::fs::Stat| {
                FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
                    && stat.st_uid == geteuid().as_raw()
            };
            if name.to_str().is_ok_and(is_temporary)
                && statat(folder.handle(), name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(is_ours)
            {
                let _ = unlinkat(folder.handle(), name, AtFlags::empty());
            }
        }
    }
}

/// Whether a name has the form of [`super::temp::temporary_name`].
fn is_temporary(name: &str) -> bool {
    let id = name.strip_prefix(".hermes-").and_then(|rest| rest.strip_suffix(".tmp"));
    id.is_some_and(|id| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_names_are_taken_away() {
        assert!(is_temporary(&super::super::temp::temporary_name()));
        for other in [".hermes-x.tmp", ".hermes-.tmp", "hermes.tmp", ".hermes-notes.tmp", ".hermes"] {
            assert!(!is_temporary(other), "{other}");
        }
    }
}
