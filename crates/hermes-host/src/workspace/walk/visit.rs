//! What a visitor gets to see.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

use hermes_core::{CallContext, Permission};
use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
use tokio_util::sync::CancellationToken;

use crate::workspace::source::Source;
use crate::workspace::write::other_names;
use crate::workspace::{Entry, EntryKind, Workspace};

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
    },
    /// On another machine; what was fetched of it, and its path as rules speak of it.
    Elsewhere {
        entry: &'a Entry,
        content: Option<&'a [u8]>,
        judged: PathBuf,
    },
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

    /// The path that rules speak of.
    fn judged(&self) -> PathBuf {
        match &self.at {
            At::Elsewhere { judged, .. } => judged.clone(),
            At::Here { root, .. } if self.path.as_os_str().is_empty() => (*root).to_owned(),
            At::Here { root, .. } => root.join(self.path),
        }
    }

    /// Opens a plain file; `None` for anything else, also if it became something else meanwhile.
    pub fn open(&self) -> io::Result<Option<WalkedFile>> {
        if self.kind != EntryKind::File {
            return Ok(None);
        }
        let cancel = self.cx.cancel().clone();
        let (workspace, folder, name) = match &self.at {
            At::Here { workspace, folder, name, .. } => (workspace, folder, name),
            At::Elsewhere { entry, content, .. } => {
                let fetched = content.map(|content| Source::Fetched(Cursor::new(content.to_vec())));
                let Entry { size, modified, mode, .. } = **entry;
                return Ok(fetched.map(|source| WalkedFile { source, size, modified, mode, cancel }));
            }
        };
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let handle = openat(folder, *name, flags, Mode::empty())?;
        let stat = fstat(&handle)?;
        let is_plain = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        let is_closed = |path: PathBuf| {
            workspace.first_name(&path, &stat).is_some()
                || workspace.admit_others(self.cx, &path, &stat).is_err()
        };
        if !is_plain || (other_names(&stat) > 0 && is_closed(self.judged())) {
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
