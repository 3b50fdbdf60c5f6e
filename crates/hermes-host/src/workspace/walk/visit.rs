//! What a visitor gets to see.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::os::fd::BorrowedFd;
use std::path::Path;

use hermes_core::{CallContext, Permission};
use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
use tokio_util::sync::CancellationToken;

use crate::workspace::{EntryKind, Workspace};

/// Sees everything that one thread comes across.
pub trait Visitor: Send {
    /// `Break` ends the walk for all threads.
    fn visit(&mut self, visit: &Visit<'_>) -> ControlFlow<()>;
}

/// One thing below the walked folder.
pub struct Visit<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) cx: &'a CallContext,
    pub(super) folder: BorrowedFd<'a>,
    pub(super) name: &'a OsStr,
    pub(super) root: &'a Path,
    /// Relative to the walked folder; empty if that is a file itself.
    pub path: &'a Path,
    pub kind: EntryKind,
}

impl Visit<'_> {
    /// Whether the policy lets this call show what is in the file. Asked for files that turn out to matter:
    /// the question is dearer than the look.
    pub fn may_be_shown(&self) -> bool {
        let path =
            if self.path.as_os_str().is_empty() { self.root.into() } else { self.root.join(self.path) };
        self.cx.permit().opens(&Permission::FILE_READ, &path)
    }

    /// Opens a plain file; `None` for anything else, also if it became something else meanwhile.
    pub fn open(&self) -> io::Result<Option<WalkedFile>> {
        if self.kind != EntryKind::File {
            return Ok(None);
        }
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let handle = openat(self.folder, self.name, flags, Mode::empty())?;
        let stat = fstat(&handle)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || self.workspace.is_own_file(&stat)
        {
            return Ok(None);
        }
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        let modified = (stat.st_mtime, u64::from(stat.st_mode & 0o7777));
        Ok(Some(WalkedFile {
            file: File::from(handle),
            size,
            modified: modified.0,
            mode: u32::try_from(modified.1).unwrap_or(0),
            cancel: self.cx.cancel().clone(),
        }))
    }
}

/// A file of a walk, open for reading. Reads fail once the call is cancelled.
pub struct WalkedFile {
    file: File,
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
        self.file.read(buffer)
    }
}
