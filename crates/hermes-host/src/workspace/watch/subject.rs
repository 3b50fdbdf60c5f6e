//! What is watched, and by which folder.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use notify::event::{ModifyKind, RenameMode};
use notify::{Event, EventKind};
use rustix::fs::{OFlags, fstat};

use super::single::Single;
use crate::workspace::open::open_exact;

/// The folder or file that somebody wants to know about.
#[derive(Clone)]
pub(super) struct Subject {
    /// With all links followed.
    pub(super) root: PathBuf,
    /// What the kernel is asked to watch. For a file that is its folder: a file that is saved by renaming another one to
    /// its name is another file, and a watch on the old one would hear nothing of it.
    pub(super) anchor: PathBuf,
    pub(super) recursive: bool,
    /// What is known of it, if it is a single file.
    pub(super) single: Option<Arc<Mutex<Single>>>,
}

impl Subject {
    pub(super) fn folder(root: &Path, recursive: bool) -> Self {
        Subject { root: root.to_owned(), anchor: root.to_owned(), recursive, single: None }
    }

    pub(super) fn file(root: &Path) -> Self {
        let anchor = root.parent().unwrap_or(root).to_owned();
        let single = Some(Arc::new(Mutex::new(Single::new(root))));
        Subject { root: root.to_owned(), anchor, recursive: false, single }
    }

    /// Watches the file by itself where its folder may not be listed; whether that makes a difference.
    pub(super) fn stand_alone(&mut self) -> bool {
        let changes = self.anchor != self.root;
        self.anchor.clone_from(&self.root);
        changes
    }

    /// Which object the anchor is now; `None` if there is none, or if a link leads to it. Links were followed when the
    /// watch began; what a new one leads to was never judged.
    pub(super) fn identity(&self) -> Option<(u64, u64)> {
        let stat = fstat(open_exact(&self.anchor, OFlags::PATH).ok()?).ok()?;
        Some((stat.st_dev, stat.st_ino))
    }

    /// Whether an event says that the anchor is no longer what stands under its name.
    pub(super) fn is_lost_by(&self, event: &Event) -> bool {
        let is_gone = matches!(
            event.kind,
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From))
        );
        is_gone && event.paths.first() == Some(&self.anchor)
    }
}
