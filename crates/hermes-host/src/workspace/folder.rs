//! The folder that a write happens in, held by handle from the check to the rename.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hermes_core::{ErrorCode, ToolError};
use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, flock, fsync, mkdirat, openat, unlinkat};
use rustix::io::Errno;
use tokio_util::sync::CancellationToken;

use super::errors::{cancelled, explain};
use super::open::open_exact;

/// How long to wait for another process that writes into the same folder.
const LOCK_PATIENCE: Duration = Duration::from_secs(10);
const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// A folder, open. Writers of one folder take turns, across processes too.
#[derive(Debug)]
pub(super) struct Folder {
    handle: OwnedFd,
    path: PathBuf,
    /// A folder that may be entered but not read can neither be locked nor synced.
    readable: bool,
}

impl Folder {
    /// Opens the folder, or says that it does not exist.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, ToolError> {
        let folder = |handle, readable| Folder { handle, path: path.to_owned(), readable };
        match open_exact(path, OFlags::RDONLY | OFlags::DIRECTORY) {
            Ok(handle) => Ok(Some(folder(handle, true))),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::ACCESS) => match open_exact(path, OFlags::PATH | OFlags::DIRECTORY) {
                Ok(handle) => Ok(Some(folder(handle, false))),
                Err(errno) => Err(explain("open", path, errno)),
            },
            Err(errno) => Err(explain("open", path, errno)),
        }
    }

    /// Opens the folder and makes it, and the folders above it, where they are missing. What was made is
    /// added to `made`, outermost first.
    pub(super) fn open_or_create(path: &Path, made: &mut Vec<PathBuf>) -> Result<Self, ToolError> {
        if let Some(folder) = Self::open(path)? {
            return Ok(folder);
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(explain("open", path, Errno::NOENT));
        };
        let parent = Self::open_or_create(parent, made)?;
        match mkdirat(&parent.handle, name, Mode::from_raw_mode(0o777)) {
            Ok(()) => made.push(path.to_owned()),
            Err(Errno::EXIST) => {}
            Err(errno) => return Err(explain("create the folder", path, errno)),
        }
        // By handle and without following links: only the folder made (or found) right here will do.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = openat(&parent.handle, name, flags, Mode::empty())
            .map_err(|errno| explain("open", path, errno))?;
        parent.sync().map_err(|errno| explain("create the folder", path, errno))?;
        Ok(Folder { handle, path: path.to_owned(), readable: true })
    }

    pub(super) fn handle(&self) -> &OwnedFd {
        &self.handle
    }

    pub(super) fn join(&self, name: &OsStr) -> PathBuf {
        self.path.join(name)
    }

    /// Waits until no other writer of this runtime, in any process, works in this folder. The lock goes
    /// with the handle. False where nothing can be locked.
    pub(super) fn lock(&self, cancel: &CancellationToken) -> Result<bool, ToolError> {
        if !self.readable {
            return Ok(false);
        }
        let started = Instant::now();
        loop {
            match flock(&self.handle, FlockOperation::NonBlockingLockExclusive) {
                Err(Errno::WOULDBLOCK) => {}
                Ok(()) => return Ok(true),
                // Some network file systems cannot lock; the rename is atomic there all the same.
                Err(_) => return Ok(false),
            }
            if cancel.is_cancelled() {
                return Err(cancelled());
            }
            if started.elapsed() > LOCK_PATIENCE {
                let mut busy = ToolError::new(
                    ErrorCode::Conflict,
                    format!("another process is writing in '{}'; try again", self.path.display()),
                );
                busy.retryable = true;
                return Err(busy);
            }
            std::thread::sleep(LOCK_PAUSE);
        }
    }

    /// Makes sure that names created or replaced in this folder survive a power cut.
    pub(super) fn sync(&self) -> rustix::io::Result<()> {
        match fsync(&self.handle) {
            // Folders that cannot be synced (some network file systems, handles without read access).
            Err(Errno::INVAL | Errno::BADF) => Ok(()),
            other => other,
        }
    }
}

/// Takes away folders that [`Folder::open_or_create`] made, as far as they are still empty. Returns which.
pub(crate) fn unmake(made: &[PathBuf]) -> Vec<PathBuf> {
    let mut gone = Vec::new();
    for path in made.iter().rev() {
        if let (Some(parent), Some(name)) = (path.parent(), path.file_name())
            && let Ok(Some(parent)) = Folder::open(parent)
            && unlinkat(&parent.handle, name, AtFlags::REMOVEDIR).is_ok()
        {
            gone.push(path.clone());
        }
    }
    gone
}
