//! A file that is complete before it gets its name.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags, linkat, openat, renameat, renameat_with, unlinkat};
use rustix::io::{Errno, Result};

use super::folder::Folder;

/// A nameless-to-be file in the folder of its destination. Removed again unless it is committed.
pub(super) struct TempFile<'a> {
    folder: &'a Folder,
    name: String,
    file: File,
    committed: bool,
}

impl<'a> TempFile<'a> {
    /// `mode` is narrowed by the umask, as for any new file.
    pub(super) fn create(folder: &'a Folder, mode: u32) -> Result<Self> {
        let name = temporary_name();
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = openat(folder.handle(), name.as_str(), flags, Mode::from_raw_mode(mode))?;
        Ok(TempFile { folder, name, file: File::from(handle), committed: false })
    }

    /// Gives the file its name, in place of what had it before.
    pub(super) fn replace(mut self, name: &OsStr) -> Result<()> {
        renameat(self.folder.handle(), self.name.as_str(), self.folder.handle(), name)?;
        self.committed = true;
        Ok(())
    }

    /// Gives the file its name, if nothing has it yet.
    pub(super) fn place(mut self, name: &OsStr) -> Result<()> {
        let folder = self.folder.handle();
        match renameat_with(folder, self.name.as_str(), folder, name, RenameFlags::NOREPLACE) {
            Ok(()) => self.committed = true,
            // Not every file system knows the flag. A hard link refuses an existing name as well; the
            // temporary name goes when `self` does.
            Err(Errno::INVAL | Errno::NOSYS) => {
                linkat(folder, self.name.as_str(), folder, name, AtFlags::empty())?;
            }
            Err(errno) => return Err(errno),
        }
        Ok(())
    }

    /// Makes sure the content survives a power cut.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}

/// A name that no program uses for its own files, in the form that [`super::sweep`] knows.
pub(crate) fn temporary_name() -> String {
    format!(".hermes-{}.tmp", uuid::Uuid::now_v7().simple())
}

/// The name that a file's old content has while several files change. Whoever sweeps lets it be: it may be all there is
/// of the file.
pub(crate) fn aside_name() -> String {
    format!(".hermes-{}.old", uuid::Uuid::now_v7().simple())
}

impl Write for TempFile<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.file.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl AsFd for TempFile<'_> {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Drop for TempFile<'_> {
    fn drop(&mut self) {
        if !self.committed {
            let _ = unlinkat(self.folder.handle(), self.name.as_str(), AtFlags::empty());
        }
    }
}
