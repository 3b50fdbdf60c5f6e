//! Takes away what a killed process left behind.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{AtFlags, Dir, FileType, fstat, statat, unlinkat};
use rustix::process::geteuid;

use super::folder::Folder;
use super::unpack::remove_tree;

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
            if !name.to_str().is_ok_and(is_temporary) {
                continue;
            }
            let Ok(stat) = statat(folder.handle(), name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            if stat.st_uid != geteuid().as_raw() {
                continue;
            }
            match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => {
                    let _ = unlinkat(folder.handle(), name, AtFlags::empty());
                }
                FileType::Directory => remove_tree(folder.handle(), OsStr::from_bytes(name.to_bytes())),
                _ => {}
            }
        }
    }
}

/// Whether a name has the form of [`super::temp::temporary_name`].
pub(super) fn is_temporary(name: &str) -> bool {
    is_own(name, ".tmp")
}

/// Whether a name has the form of [`super::temp::aside_name`].
pub(super) fn is_aside_name(name: &str) -> bool {
    is_own(name, ".old")
}

fn is_own(name: &str, ending: &str) -> bool {
    let id = name.strip_prefix(".hermes-").and_then(|rest| rest.strip_suffix(ending));
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
