//! A file that is complete before it gets its name.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, Stat, fstat, linkat, openat, renameat, renameat_with, statat,
    unlinkat,
};
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

    /// Gives the file its name, in place of what had it before, if that is still what was `seen`. [`Errno::STALE`]
    /// says that somebody else changed it meanwhile, and that it is as they left it.
    pub(super) fn replace(mut self, name: &OsStr, seen: &Stat) -> Result<()> {
        // What had the name bears the temporary one now, and goes when `self` does.
        self.committed = !replace(self.folder, (&self.name, &self.file), name, seen)?;
        Ok(())
    }

    /// Gives the file its name, if nothing has it yet.
    pub(super) fn place(mut self, name: &OsStr) -> Result<()> {
        self.committed = !place(self.folder, &self.name, name)?;
        Ok(())
    }

    /// Makes sure the content survives a power cut.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}

/// Gives a complete file its name, in place of what had it before, if that is still what was `seen`; [`Errno::STALE`] if
/// not. Returns whether the temporary name is still there, with what was replaced.
pub(super) fn replace(
    folder: &Folder,
    (temporary, file): (&str, &File),
    name: &OsStr,
    seen: &Stat,
) -> Result<bool> {
    let handle = folder.handle();
    match renameat_with(handle, temporary, handle, name, RenameFlags::EXCHANGE) {
        Ok(()) => {}
        Err(Errno::NOENT) => return Err(Errno::STALE),
        // Not every file system can exchange names; there a look just before has to do.
        Err(Errno::INVAL | Errno::NOSYS) => {
            is_same(handle, name, seen)?;
            renameat(handle, temporary, handle, name)?;
            return Ok(false);
        }
        Err(errno) => return Err(errno),
    }
    let same = is_same(handle, OsStr::new(temporary), seen);
    if same.is_err() {
        give_back(folder, (temporary, file), name)?;
    }
    same.map(|()| true)
}

/// Exchanges the names again. Whoever saved once more in between has the last word.
fn give_back(folder: &Folder, (temporary, file): (&str, &File), name: &OsStr) -> Result<()> {
    let handle = folder.handle();
    let exchange = || renameat_with(handle, temporary, handle, name, RenameFlags::EXCHANGE);
    exchange()?;
    let (own, there) = (fstat(file)?, statat(handle, temporary, AtFlags::SYMLINK_NOFOLLOW)?);
    if (own.st_dev, own.st_ino) == (there.st_dev, there.st_ino) { Ok(()) } else { exchange() }
}

/// Gives a complete file its name, if nothing has it yet. Returns whether the temporary name is still there.
pub(super) fn place(folder: &Folder, temporary: &str, name: &OsStr) -> Result<bool> {
    let handle = folder.handle();
    match renameat_with(handle, temporary, handle, name, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(false),
        // Not every file system knows the flag. A hard link refuses an existing name as well.
        Err(Errno::INVAL | Errno::NOSYS) => {
            linkat(handle, temporary, handle, name, AtFlags::empty()).map(|()| true)
        }
        Err(errno) => Err(errno),
    }
}

/// Whether the file under a name is the one that was seen, with the content it had; [`Errno::STALE`] if not.
pub(super) fn is_same(folder: impl AsFd, name: &OsStr, seen: &Stat) -> Result<()> {
    let found = match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => return Err(Errno::STALE),
        found => found?,
    };
    let identity = |stat: &Stat| (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime, stat.st_mtime_nsec);
    if identity(&found) == identity(seen) { Ok(()) } else { Err(Errno::STALE) }
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
