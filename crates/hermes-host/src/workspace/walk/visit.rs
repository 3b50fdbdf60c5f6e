//! What a visitor gets to see.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hermes_core::{CallContext, Permission};
use rustix::fs::{FileType, Mode, OFlags, Stat, fstat, openat};
use rustix::io::Errno;
use tokio_util::sync::CancellationToken;

use crate::workspace::linked::Linked;
use crate::workspace::names_inside::Inside;
use crate::workspace::source::Source;
use crate::workspace::write::other_names;
use crate::workspace::{Entry, EntryKind, Unreadable, Workspace};

/// More files that cannot be read are not named.
const MOST_UNREADABLE: usize = 1_000;

/// Sees everything that one thread comes across.
pub trait Visitor: Send {
    /// `Break` ends the walk for all threads.
    fn visit(&mut self, visit: &Visit<'_>) -> ControlFlow<()>;

    /// Whether it would open this one. Asked where files have to be fetched first.
    fn wants(&self, _path: &Path, _kind: EntryKind) -> bool {
        false
    }
}

/// One thing below the walked folder.
pub struct Visit<'a> {
    pub(super) cx: &'a CallContext,
    pub(super) at: At<'a>,
    /// Relative to the walked folder; empty if that is a file itself.
    pub path: &'a Path,
    pub kind: EntryKind,
}

/// Where it is.
pub(super) enum At<'a> {
    Here {
        workspace: &'a Workspace,
        folder: BorrowedFd<'a>,
        name: &'a OsStr,
        root: &'a Path,
        verdicts: &'a Verdicts,
        unreadable: &'a Mutex<Vec<Unreadable>>,
    },
    /// On another machine; what was fetched of it, and its path as rules speak of it.
    Elsewhere { entry: &'a Entry, content: Option<&'a [u8]>, judged: PathBuf },
}

impl<'a> Visit<'a> {
    /// Something on another machine.
    pub(crate) fn elsewhere(
        cx: &'a CallContext,
        entry: &'a Entry,
        judged: PathBuf,
        content: Option<&'a [u8]>,
    ) -> Self {
        Visit { cx, path: &entry.path, kind: entry.kind, at: At::Elsewhere { entry, content, judged } }
    }

    /// Whether the policy lets this call show what is in the file. Asked for files that turn out to matter:
    /// the question is dearer than the look.
    pub fn may_be_shown(&self) -> bool {
        self.cx.permit().opens(&Permission::FILE_READ, &self.judged())
    }

    /// A path to look for: below the walked folder, or the name of the one file that is walked.
    pub fn named(&self) -> Cow<'_, Path> {
        match self.path.as_os_str().is_empty() {
            true => Cow::Owned(self.judged().file_name().map(PathBuf::from).unwrap_or_default()),
            false => Cow::Borrowed(self.path),
        }
    }

    /// The path that rules speak of.
    fn judged(&self) -> PathBuf {
        match &self.at {
            At::Elsewhere { judged, .. } => judged.clone(),
            At::Here { root, .. } if self.path.as_os_str().is_empty() => (*root).to_owned(),
            At::Here { root, .. } => root.join(self.path),
        }
    }

    /// A file that cannot be read is told, unless nothing of it may be: what is not found in it may be there.
    fn note(&self, errno: Errno) {
        let At::Here { unreadable, .. } = &self.at else { return };
        if is_gone(errno) || !self.may_be_shown() {
            return;
        }
        let mut unreadable = unreadable.lock().unwrap_or_else(PoisonError::into_inner);
        if unreadable.len() < MOST_UNREADABLE {
            unreadable.push(Unreadable { path: self.path.to_owned(), reason: reason(errno) });
        }
    }

    /// Whether rules close the opened file by another of its names.
    fn is_closed(&self, stat: &Stat) -> bool {
        let (At::Here { workspace, root, verdicts, .. }, Some(file)) = (&self.at, Linked::of(stat)) else {
            return true;
        };
        let path = self.judged();
        let folder = if path.starts_with(self.cx.cwd()) { self.cx.cwd() } else { root };
        let closed = |name: &PathBuf| !self.cx.permit().agrees(&Permission::FILE_READ, name);
        let is_closed = |(folder, inside): (PathBuf, Arc<Inside>)| {
            let names = inside.names(file.object);
            names.iter().any(|name| *name != path)
                && verdicts.is_closed((file, folder), || names.iter().any(closed))
        };
        workspace.first_name(&path, stat).is_some()
            || workspace.second_names.around(&path, file, folder).into_iter().any(is_closed)
    }

    /// Opens a plain file; `None` for anything else, also if it became something else meanwhile.
    pub fn open(&self) -> io::Result<Option<WalkedFile>> {
        if self.kind != EntryKind::File {
            return Ok(None);
        }
        let cancel = self.cx.cancel().clone();
        let (folder, name) = match &self.at {
            At::Here { folder, name, .. } => (folder, name),
            At::Elsewhere { entry, content, .. } => {
                let fetched = content.map(|content| Source::Fetched(Cursor::new(content.to_vec())));
                let Entry { size, modified, mode, .. } = **entry;
                return Ok(fetched.map(|source| WalkedFile { source, size, modified, mode, cancel }));
            }
        };
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let handle = openat(folder, *name, flags, Mode::empty()).inspect_err(|errno| self.note(*errno))?;
        let stat = fstat(&handle).inspect_err(|errno| self.note(*errno))?;
        let is_plain = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        if !is_plain || (other_names(&stat) > 0 && self.is_closed(&stat)) {
            return Ok(None);
        }
        Ok(Some(WalkedFile {
            source: Source::File(File::from(handle)),
            size: u64::try_from(stat.st_size).unwrap_or(0),
            modified: stat.st_mtime,
            mode: stat.st_mode & 0o7777,
            cancel,
        }))
    }
}

/// Whether it went away or became something else since its folder was read: then there is nothing to be told.
pub(super) fn is_gone(errno: Errno) -> bool {
    matches!(errno, Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NXIO | Errno::NODEV)
}

/// Why something cannot be read, as the operating system says it, without its number.
pub(in crate::workspace) fn reason(errno: Errno) -> String {
    let said = io::Error::from(errno).to_string();
    let words = said.split(" (os error").next().unwrap_or_default();
    let (first, rest) = words.split_at_checked(1).unwrap_or_default();
    format!("{}{rest}", first.to_ascii_lowercase())
}

/// What was found about files of several names during one walk, by the folder that the names are in: a file is judged
/// once by all its names, however often it stands.
#[derive(Default)]
pub(super) struct Verdicts(Mutex<HashMap<(Linked, PathBuf), bool>>);

impl Verdicts {
    fn is_closed(&self, key: (Linked, PathBuf), judge: impl FnOnce() -> bool) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        known.unwrap_or_else(|| {
            let is_closed = judge();
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, is_closed);
            is_closed
        })
    }
}

/// A file of a walk, open for reading. Reads fail once the call is cancelled.
pub struct WalkedFile {
    source: Source,
    pub size: u64,
    /// Seconds since the epoch.
    pub modified: i64,
    /// Permission bits.
    pub mode: u32,
    cancel: CancellationToken,
}

impl Read for WalkedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other(crate::workspace::errors::Cancelled));
        }
        self.source.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_cannot_be_read_is_told_in_words_that_say_why() {
        for (errno, words) in [
            (Errno::ACCESS, "permission denied"),
            (Errno::MFILE, "too many open files"),
            (Errno::NOMEM, "cannot allocate memory"),
            (Errno::STALE, "stale file handle"),
            (Errno::IO, "input/output error"),
        ] {
            assert_eq!((reason(errno).to_lowercase().as_str(), is_gone(errno)), (words, false));
        }
        assert!(is_gone(Errno::NOENT) && is_gone(Errno::LOOP));
    }
}
