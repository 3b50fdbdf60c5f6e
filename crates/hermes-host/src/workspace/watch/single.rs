//! A single file, watched by its folder: what happens to others there is nobody's affair, and what happens to the file is
//! told by whether it was there and is there. Events alone would not do: two names that are exchanged look like a file
//! that comes and goes.

use std::path::{Path, PathBuf};

use notify::event::{CreateKind, DataChange, ModifyKind, RemoveKind, RenameMode};
use notify::{Event, EventKind};
use rustix::fs::{AtFlags, CWD, statat};

use super::pending::is_own_file;
use crate::workspace::FileVersion;

pub(super) struct Single {
    path: PathBuf,
    last: Option<FileVersion>,
}

impl Single {
    pub(super) fn new(path: &Path) -> Self {
        Single { path: path.to_owned(), last: version(path) }
    }

    /// What an event in the folder means for the file.
    pub(super) fn meant(&mut self, event: &Event) -> Option<Event> {
        let is_change =
            matches!(event.kind, EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(_));
        if event.need_rescan() {
            return Some(event.clone());
        }
        if !is_change || !event.paths.contains(&self.path) {
            return None;
        }
        let renamed = |mode| event.kind == EventKind::Modify(ModifyKind::Name(mode));
        let goes = event.paths.first() == Some(&self.path);
        let now = version(&self.path);
        let was = std::mem::replace(&mut self.last, now);
        match (was, now) {
            (Some(_), None) if goes && renamed(RenameMode::From) => Some(event.clone()),
            (None, None) if goes && renamed(RenameMode::Both) => {
                event.paths.get(1).is_some_and(|to| !is_own_file(to)).then(|| event.clone())
            }
            (was, now) => self.told(was, now, true),
        }
    }

    /// What happened while nobody listened.
    pub(super) fn looked(&mut self) -> Option<Event> {
        let now = version(&self.path);
        let was = std::mem::replace(&mut self.last, now);
        self.told(was, now, was != now)
    }

    fn told(&self, was: Option<FileVersion>, now: Option<FileVersion>, is_changed: bool) -> Option<Event> {
        let kind = match (was, now) {
            (None, Some(_)) => EventKind::Create(CreateKind::Any),
            (Some(_), None) => EventKind::Remove(RemoveKind::Any),
            (Some(_), Some(_)) if is_changed => EventKind::Modify(ModifyKind::Data(DataChange::Any)),
            _ => return None,
        };
        Some(Event::new(kind).add_path(self.path.clone()))
    }
}

/// The state of what stands under a name, be it a link.
fn version(path: &Path) -> Option<FileVersion> {
    statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW).ok().map(|stat| FileVersion::of(&stat))
}
