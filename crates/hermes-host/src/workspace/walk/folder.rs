//! One folder of a walk.

use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use hermes_core::CallContext;
use rustix::fs::{AtFlags, Dir, FileType, OFlags, statat};
use rustix::io::Errno;

use super::queue::Place;
use super::visit::{At, Verdicts, Visit, Visitor, is_gone, reason};
use super::walker::WalkOptions;
use crate::workspace::ignored::IgnoreRules;
use crate::workspace::open::open_exact;
use crate::workspace::{EntryKind, Unreadable, Workspace};

/// File systems that the kernel makes up. Their files are endless, dangerous to read or full of secrets.
const MADE_UP: &[&str] = &["/proc", "/sys", "/dev"];

/// A folder that waits to be looked at.
pub(super) struct Waiting {
    /// Relative to the root of the walk.
    pub(super) path: PathBuf,
    pub(super) depth: usize,
    /// The rules of the folders above it.
    pub(super) rules: IgnoreRules,
}

/// What all threads of a walk share.
pub(super) struct Look<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) cx: &'a CallContext,
    pub(super) root: &'a Path,
    pub(super) hermes_home: Option<PathBuf>,
    pub(super) options: WalkOptions,
    pub(super) depth: usize,
    pub(super) unreadable: &'a Mutex<Vec<Unreadable>>,
    pub(super) verdicts: &'a Verdicts,
}

impl Look<'_> {
    /// Shows the visitor what is in the folder and queues the folders below it.
    pub(super) fn folder(
        &self,
        waiting: Waiting,
        place: &mut Place<'_, Waiting>,
        visitor: &mut impl Visitor,
    ) -> ControlFlow<()> {
        let here = self.root.join(&waiting.path);
        let opened = open_exact(&here, OFlags::RDONLY | OFlags::DIRECTORY);
        let (folder, names) = match opened.and_then(|folder| Ok((names(&folder)?, folder))) {
            Ok((names, folder)) => (folder, names),
            Err(errno) => {
                self.skip(waiting.path, errno);
                return ControlFlow::Continue(());
            }
        };
        let rules = match self.options.ignore {
            true => waiting.rules.of_folder(&folder, &here, names.iter().map(|(name, _)| name.as_os_str())),
            false => waiting.rules,
        };
        for (name, kind) in &names {
            if !self.options.hidden && name.as_bytes().starts_with(b".") {
                continue;
            }
            let path = waiting.path.join(name);
            if !rules.is_empty() && rules.ignore(&self.root.join(&path), *kind == EntryKind::Folder) {
                continue;
            }
            if self.options.ignore && name == ".git" {
                continue;
            }
            let at = At::Here {
                workspace: self.workspace,
                folder: folder.as_fd(),
                name,
                root: self.root,
                verdicts: self.verdicts,
                unreadable: self.unreadable,
            };
            let visit = Visit { cx: self.cx, at, path: &path, kind: *kind };
            visitor.visit(&visit)?;
            if *kind == EntryKind::Folder && waiting.depth < self.depth && !self.is_closed(&path) {
                place.add(Waiting { path, depth: waiting.depth + 1, rules: rules.clone() });
            }
        }
        ControlFlow::Continue(())
    }

    fn is_closed(&self, path: &Path) -> bool {
        let path = self.root.join(path);
        MADE_UP.iter().any(|made_up| path == Path::new(made_up))
            || self.hermes_home.as_ref().is_none_or(|home| path == *home)
    }

    /// One unreadable folder does not spoil the rest. What vanished meanwhile is simply not there.
    fn skip(&self, path: PathBuf, errno: Errno) {
        if is_gone(errno) {
            return;
        }
        let mut unreadable = self.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
        unreadable.push(Unreadable { path, reason: reason(errno) });
    }
}

/// What is in a folder, in the order of the folder itself.
fn names(folder: &OwnedFd) -> rustix::io::Result<Vec<(OsString, EntryKind)>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        let kind = match entry.file_type() {
            FileType::Unknown => match statat(folder, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => FileType::from_raw_mode(stat.st_mode),
                Err(errno) if is_gone(errno) => continue,
                Err(errno) => return Err(errno),
            },
            known => known,
        };
        let kind = match kind {
            FileType::Directory => EntryKind::Folder,
            FileType::RegularFile => EntryKind::File,
            FileType::Symlink => EntryKind::Link,
            _ => EntryKind::Special,
        };
        names.push((OsString::from_vec(name.as_bytes().to_vec()), kind));
    }
    Ok(names)
}
