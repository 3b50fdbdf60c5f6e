//! The names in folders, read once as long as nobody has touched the folder.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{AtFlags, CWD, FileType, OFlags, RawDir, Stat, fstat, statat};

use super::locked::open_again;
use crate::workspace::open_exact;

/// Clocks of files go in steps.
const STEP: Duration = Duration::from_secs(1);
/// What is read at once.
const PIECE: usize = 32 * 1024;

/// Names, and which are folders.
pub(super) type Entries = Rc<[(OsString, bool)]>;

/// Which folder, and when it was changed last.
type Mark = (u64, u64, i64, u64);

/// What was read, by folder.
#[derive(Debug)]
pub(super) struct Listings {
    since: SystemTime,
    known: HashMap<PathBuf, (Mark, Entries)>,
}

impl Default for Listings {
    fn default() -> Self {
        Listings { since: SystemTime::now(), known: HashMap::new() }
    }
}

impl Listings {
    /// The names in a folder, as `before` has them where that is still so: the kernel sets the time of a folder's last
    /// change, and nobody else does. What was closed since `closed` is opened.
    pub(super) fn list(
        &mut self,
        folder: &Path,
        most: usize,
        before: &Listings,
        closed: Option<SystemTime>,
    ) -> Entries {
        if let Some((same, entries)) = before.known.get(folder)
            && entries.len() < most
            && let Ok(facts) = statat(CWD, folder, AtFlags::SYMLINK_NOFOLLOW)
            && mark(&facts) == *same
            && changed(&facts) + STEP < before.since
        {
            self.known.insert(folder.to_owned(), (*same, Rc::clone(entries)));
            return Rc::clone(entries);
        }
        let _ = closed.map(|since| open_again(folder, since));
        let Ok(opened) = open_exact(folder, OFlags::RDONLY | OFlags::DIRECTORY) else { return Rc::default() };
        // Before it is read: what comes to be in it afterwards changes it.
        let same = fstat(&opened).map(|facts| mark(&facts));
        let entries: Entries = read(&opened, most).into();
        // One that was cut off is not known.
        if let Ok(same) = same
            && entries.len() < most
        {
            self.known.insert(folder.to_owned(), (same, Rc::clone(&entries)));
        }
        entries
    }
}

/// The names in a folder in their order, and which are folders. It may have become a link meanwhile, which is not
/// followed.
pub(super) fn listed(folder: &Path, most: usize) -> Vec<(OsString, bool)> {
    let opened = open_exact(folder, OFlags::RDONLY | OFlags::DIRECTORY);
    opened.map(|opened| read(&opened, most)).unwrap_or_default()
}

/// What a name in a folder stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    Link,
    Other,
}

fn read(opened: &OwnedFd, most: usize) -> Vec<(OsString, bool)> {
    let is_folder = |(name, kind)| (name, kind == Kind::Folder);
    kinds_in(opened, most).into_iter().map(is_folder).collect()
}

/// The names in an open folder in their order, and what they stand for.
pub(super) fn kinds_in(opened: &OwnedFd, most: usize) -> Vec<(OsString, Kind)> {
    let mut piece = Vec::with_capacity(PIECE);
    let mut entries = RawDir::new(opened, piece.spare_capacity_mut());
    let mut all = Vec::new();
    while let Some(Ok(entry)) = entries.next().filter(|_| all.len() < most) {
        let name = entry.file_name();
        let kind = match entry.file_type() {
            FileType::Unknown => statat(opened, name, AtFlags::SYMLINK_NOFOLLOW)
                .map_or(FileType::Unknown, |facts| FileType::from_raw_mode(facts.st_mode)),
            kind => kind,
        };
        let kind = match kind {
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        };
        if !matches!(name.to_bytes(), b"." | b"..") {
            all.push((OsStr::from_bytes(name.to_bytes()).to_owned(), kind));
        }
    }
    all.sort_by(|(one, _), (other, _)| one.cmp(other));
    all
}

fn mark(facts: &Stat) -> Mark {
    (facts.st_dev, facts.st_ino, facts.st_ctime, facts.st_ctime_nsec)
}

fn changed(facts: &Stat) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(u64::try_from(facts.st_ctime).unwrap_or_default())
}

/// What lies in it, where it is a folder with fewer files than that; else itself.
pub(super) fn files_at(place: &Path, most: usize) -> Vec<PathBuf> {
    let inside = listed(place, most);
    let is_folder = fs::symlink_metadata(place).is_ok_and(|facts| facts.is_dir());
    match is_folder && inside.len() < most {
        true => inside.into_iter().map(|(name, _)| place.join(name)).collect(),
        false => vec![place.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_that_was_touched_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().canonicalize().unwrap();
        for name in ["a", "b"] {
            fs::create_dir(work.join(name)).unwrap();
        }
        let names = |entries: Entries| -> Vec<String> {
            entries.iter().map(|(name, _)| name.to_str().unwrap().to_owned()).collect()
        };
        let mut first = Listings { since: SystemTime::now() + STEP * 3, ..Listings::default() };
        assert_eq!(names(first.list(&work, 9, &Listings::default(), None)), ["a", "b"]);
        // What is known is taken, and no longer than nobody has touched it.
        let known = first.known.get_mut(&work).unwrap();
        known.1 = [(OsString::from("known"), false)].into();
        assert_eq!(names(Listings::default().list(&work, 9, &first, None)), ["known"]);
        let now = Listings { since: SystemTime::now(), known: first.known };
        assert_eq!(names(Listings::default().list(&work, 9, &now, None)), ["a", "b"]);
        let late = Listings { since: SystemTime::now() + STEP * 3, known: now.known };
        std::thread::sleep(Duration::from_millis(20));
        fs::remove_dir(work.join("b")).unwrap();
        assert_eq!(names(Listings::default().list(&work, 9, &late, None)), ["a"]);
        // Another folder at its place is another folder.
        fs::rename(&work, work.with_extension("away")).unwrap();
        fs::create_dir_all(work.join("c")).unwrap();
        assert_eq!(names(Listings::default().list(&work, 9, &late, None)), ["c"]);
        fs::remove_dir_all(work.with_extension("away")).unwrap();
        assert_eq!(names(Listings::default().list(&work.join("none"), 9, &late, None)), Vec::<String>::new());
    }
}
