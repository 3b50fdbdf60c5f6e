//! A new file whose content comes bit by bit and whose length nobody knows beforehand.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;

use hermes_core::{CallContext, Permission, ToolError};
use rustix::fs::{AtFlags, Mode, OFlags, Stat, openat, unlinkat};
use rustix::io::Errno;

use super::Workspace;
use super::errors::{Cancelled, cancelled, changed, explain};
use super::folder::{Folder, unmake};
use super::hashing::hash_file;
use super::judge::Agreed;
use super::previous::{Old, examine};
use super::stamp::{date, hand_on};
use super::temp::{place, replace, temporary_name};
use super::write::{WriteMode, WriteRequest};
use crate::undo::{Remembered, Touch};

/// A file that gets its name when it is finished. Dropped before, it leaves nothing behind.
pub struct NewFile<'a> {
    workspace: &'a Workspace,
    cx: &'a CallContext,
    path: PathBuf,
    name: OsString,
    folder: Folder,
    temporary: String,
    file: File,
    old: Option<Old>,
    made: Vec<PathBuf>,
    modified: Option<i64>,
    /// A write failed, so this never becomes a file.
    failed: bool,
    done: bool,
    _agreed: Agreed,
}

impl Workspace {
    /// Begins a file. An existing one is refused unless `overwrite` is set.
    pub fn create<'a>(
        &'a self,
        cx: &'a CallContext,
        raw: &str,
        overwrite: bool,
    ) -> Result<NewFile<'a>, ToolError> {
        let path = self.judge(cx, raw, &Permission::FILE_WRITE)?;
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(ToolError::invalid("the path names the root folder, not a file"));
        };
        let agreed = self.agreed(cx, [&path]);
        let mut made = Vec::new();
        let folder = Folder::open_or_create(parent, &mut made)?;
        if folder.lock(cx.cancel())? {
            self.swept.sweep(&folder);
        }
        let mode = if overwrite { WriteMode::Overwrite } else { WriteMode::Create };
        let request =
            WriteRequest { content: &[], mode, create_dirs: true, expected_sha256: None, fit: None };
        let admit = |stat: &Stat| self.admit_others(cx, &path, stat);
        let old = examine(&folder, name, (&request, None), admit, cx.cancel())?;
        let temporary = temporary_name();
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(if old.is_some() { 0o600 } else { 0o666 });
        let file = openat(folder.handle(), temporary.as_str(), flags, mode)
            .map_err(|errno| explain("write", &path, errno))?;
        let (name, file) = (name.to_owned(), File::from(file));
        Ok(NewFile {
            workspace: self,
            cx,
            path,
            name,
            folder,
            temporary,
            file,
            old,
            made,
            modified: None,
            failed: false,
            done: false,
            _agreed: agreed,
        })
    }
}

impl NewFile<'_> {
    /// Makes the file look as if it had been changed at a time, in seconds since the epoch.
    #[must_use]
    pub fn dated(mut self, modified: i64) -> Self {
        self.modified = Some(modified);
        self
    }

    /// Gives the file its name, durably; its path and size.
    pub fn finish(mut self) -> Result<(PathBuf, u64), ToolError> {
        if self.failed {
            return Err(explain("write", &self.path, io::Error::other("a write failed before")));
        }
        let failed = |error: io::Error| explain("write", &self.path, error);
        if let Some(old) = &self.old {
            hand_on(&old.stat, old.file.as_ref(), &self.file).map_err(|errno| failed(errno.into()))?;
        }
        date(&self.file, self.modified);
        self.file.sync_all().map_err(failed)?;
        let size = self.file.metadata().map_err(failed)?.len();
        if self.cx.cancel().is_cancelled() {
            return Err(cancelled());
        }
        let remembered = match self.workspace.undo() {
            None => None,
            Some(undo) => {
                let sha256 = hash_file(Some(&self.file), self.cx.cancel()).map_err(failed)?;
                let before = self.old.as_ref().map(Old::for_undo);
                let touch = Touch { path: &self.path, before, after: Some((&sha256, size)) };
                Some(undo.remember(self.cx, &[touch], &self.made)?)
            }
        };
        let named = match &self.old {
            Some(old) => replace(&self.folder, (&self.temporary, &self.file), &self.name, &old.stat),
            None => place(&self.folder, &self.temporary, &self.name),
        };
        let is_left = named.map_err(|errno| {
            remembered.into_iter().for_each(Remembered::forget);
            match errno {
                Errno::STALE => changed(&self.path),
                errno => failed(errno.into()),
            }
        })?;
        if is_left {
            let _ = unlinkat(self.folder.handle(), self.temporary.as_str(), AtFlags::empty());
        }
        self.done = true;
        self.folder.sync().map_err(|errno| explain("write", &self.path, errno))?;
        self.workspace.settled(self.cx, &self.path);
        Ok((self.path.clone(), size))
    }

    /// Turns errors of writes into answers, also while the file is in other hands.
    pub fn explaining(&self) -> impl Fn(io::Error) -> ToolError + use<> {
        let path = self.path.clone();
        move |error| explain("write", &path, error)
    }
}

impl Write for NewFile<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        // Writers that tidy up after a failure write more, to nobody's use.
        if self.failed {
            return Ok(buffer.len());
        }
        let written = match self.cx.cancel().is_cancelled() {
            true => Err(io::Error::other(Cancelled)),
            false => self.file.write(buffer),
        };
        self.failed = written.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for NewFile<'_> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        if !self.done {
            let _ = unlinkat(self.folder.handle(), self.temporary.as_str(), AtFlags::empty());
            unmake(&self.made);
        }
    }
}
