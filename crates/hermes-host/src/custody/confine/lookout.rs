//! Keeps walls around single places standing while the program runs. Whoever replaces a file outside by another, as git
//! and editors do, takes the mount above it away, in every view; the first process sees that and puts it back.

use std::ffi::{CStr, OsStr};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};

use super::view::{hide, keep_as_it_is};
use crate::process::Confinement;

/// The folders around all places that are kept or hidden by a mount of their own.
pub(in crate::custody) struct Lookout<'a> {
    confinement: &'a Confinement,
    changes: OwnedFd,
    /// By the number that a change bears.
    folders: Vec<(i32, Vec<Wall<'a>>)>,
}

#[derive(Clone, Copy)]
enum Wall<'a> {
    Kept(&'a Path),
    Hidden(&'a Path),
}

impl<'a> Lookout<'a> {
    /// `None` where there is nothing to look out for.
    pub(in crate::custody) fn begin(confinement: &'a Confinement) -> Option<Self> {
        let kept = confinement.protected.iter().map(|path| Wall::Kept(path));
        let hidden = confinement.hidden.iter().map(|path| Wall::Hidden(path));
        let mut walls: Vec<Wall<'a>> = kept.chain(hidden).collect();
        if walls.is_empty() {
            return None;
        }
        walls.sort_by_key(|wall| wall.path().parent());
        let changes = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        let mut folders = Vec::new();
        for around in walls.chunk_by(|one, other| one.path().parent() == other.path().parent()) {
            let folder = around.first().and_then(|wall| wall.path().parent());
            let new_name = WatchFlags::MOVED_TO | WatchFlags::CREATE | WatchFlags::ONLYDIR;
            if let Some(Ok(number)) = folder.map(|folder| add_watch(&changes, folder, new_name)) {
                folders.push((number, around.to_vec()));
            }
        }
        let lookout = Lookout { confinement, changes, folders };
        // Something may have been replaced since the walls were built.
        lookout.all().for_each(|wall| lookout.rebuild(wall));
        Some(lookout)
    }

    /// Can be read when something has changed.
    pub(in crate::custody) fn changes(&self) -> BorrowedFd<'_> {
        self.changes.as_fd()
    }

    /// Puts back what has fallen.
    pub(in crate::custody) fn look(&self) {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(&self.changes, &mut buffer);
        while let Ok(event) = reader.next() {
            if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
                self.all().for_each(|wall| self.rebuild(wall));
            }
            let name = event.file_name().map(CStr::to_bytes).map(OsStr::from_bytes);
            // One folder may be watched under two names.
            let around = self.folders.iter().filter(|(number, _)| *number == event.wd());
            for wall in around.flat_map(|(_, walls)| walls).filter(|wall| wall.path().file_name() == name) {
                self.rebuild(wall);
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = &Wall<'a>> {
        self.folders.iter().flat_map(|(_, walls)| walls)
    }

    fn rebuild(&self, wall: &Wall<'_>) {
        // What cannot be put back is as it would be without a lookout.
        let _ = match wall {
            wall if wall.stands() => Ok(()),
            Wall::Kept(path) => keep_as_it_is(path, self.confinement),
            Wall::Hidden(path) => hide(path),
        };
    }
}

impl<'a> Wall<'a> {
    fn path(&self) -> &'a Path {
        match self {
            Wall::Kept(path) | Wall::Hidden(path) => path,
        }
    }

    /// Whether something is mounted right there.
    fn stands(&self) -> bool {
        // Of a hidden link it is the end that is hidden.
        let flags = match self {
            Wall::Kept(_) => AtFlags::SYMLINK_NOFOLLOW,
            Wall::Hidden(_) => AtFlags::empty(),
        };
        let facts = statx(CWD, self.path(), flags, StatxFlags::empty());
        facts.is_ok_and(|facts| facts.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
    }
}
