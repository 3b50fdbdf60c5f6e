//! Takes away what a killed process left behind.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{AtFlags, Dir, FileType, Stat, StatxFlags, fstat, statat, statx, unlinkat};
use rustix::process::geteuid;
use uuid::Uuid;

use super::folder::Folder;
use super::unpack::remove_tree;

/// How far a file's birth may lie from the time in its name: the clock of the disk is a coarse one.
const COARSE: i64 = 2;
/// How long after the time in a name something may have got it. Whoever replaces a file exchanges names with it, and
/// what had the temporary name from then on was born long before.
const A_WHILE: i64 = 10 * 60;

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
            let Some(named_at) = name.to_str().ok().filter(|name| is_temporary(name)).and_then(time_in)
            else {
                continue;
            };
            let name = OsStr::from_bytes(name.to_bytes());
            let Ok(stat) = statat(folder.handle(), name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
            if stat.st_uid != geteuid().as_raw() || !is_from(folder, name, &stat, named_at) {
                continue;
            }
            match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => {
                    let _ = unlinkat(folder.handle(), name, AtFlags::empty());
                }
                FileType::Directory => remove_tree(folder.handle(), name),
                _ => {}
            }
        }
    }
}

/// Whether something got its name when the name says. Others may bring files with such names, in an archive or by a
/// copy of a folder, and those are theirs.
fn is_from(folder: &Folder, name: &OsStr, stat: &Stat, named_at: i64) -> bool {
    let flags = AtFlags::SYMLINK_NOFOLLOW;
    let facts = statx(folder.handle(), name, flags, StatxFlags::BTIME).ok();
    let born = facts.filter(|facts| StatxFlags::from_bits_retain(facts.stx_mask).contains(StatxFlags::BTIME));
    born.is_some_and(|facts| (facts.stx_btime.tv_sec - named_at).abs() <= COARSE)
        || (-COARSE..=A_WHILE).contains(&(stat.st_ctime - named_at))
}

/// When a name was made, in seconds since the epoch.
fn time_in(name: &str) -> Option<i64> {
    let id = name.strip_prefix(".hermes-")?.get(..32)?;
    let id = Uuid::parse_str(id).ok().filter(|id| id.get_version_num() == 7)?;
    i64::try_from(id.get_timestamp()?.to_unix().0).ok()
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
    use std::fs;

    use super::*;
    use crate::workspace::temp::temporary_name;

    #[test]
    fn only_own_names_are_taken_away() {
        assert!(is_temporary(&temporary_name()));
        for other in [".hermes-x.tmp", ".hermes-.tmp", "hermes.tmp", ".hermes-notes.tmp", ".hermes"] {
            assert!(!is_temporary(other), "{other}");
        }
    }

    /// What a killed write leaves goes; what only has such a name stays.
    #[test]
    fn what_others_brought_stays() {
        let outer = tempfile::tempdir().unwrap();
        let place = outer.path().canonicalize().unwrap();
        let long_ago = uuid::Timestamp::from_unix(uuid::NoContext, 1_700_000_000, 0);
        let copied = format!(".hermes-{}.tmp", Uuid::new_v7(long_ago).simple());
        let made_up = ".hermes-0123456789abcdef0123456789abcdef.tmp".to_owned();
        for name in [&copied, &made_up] {
            fs::write(place.join(name), "theirs").unwrap();
        }
        let (left, tree) = (temporary_name(), temporary_name());
        fs::write(place.join(&left), "unfinished").unwrap();
        fs::create_dir(place.join(&tree)).unwrap();
        fs::write(place.join(&tree).join("a"), "unfinished").unwrap();
        // An old file that exchanged its name with a new one.
        fs::write(place.join("old"), "replaced").unwrap();
        let exchanged = temporary_name();
        fs::rename(place.join("old"), place.join(&exchanged)).unwrap();
        Swept::default().sweep(&Folder::open(&place).unwrap().unwrap());
        let mut found: Vec<String> = fs::read_dir(&place)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        found.sort();
        let mut expected = vec![copied, made_up];
        expected.sort();
        assert_eq!(found, expected);
    }
}
