//! A name in a folder that is held open. Where commands may write they move folders and plant links at any moment, so
//! what Hermes itself does there is done in the folder that it opened and to the thing that it made, never by path.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, RenameFlags, Stat, fstat, mkdirat, openat, renameat_with, statat,
    symlinkat, unlinkat,
};
use rustix::io::{Errno, Result};

use crate::workspace::open_exact;

pub(crate) const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

pub(crate) struct Spot {
    folder: OwnedFd,
    name: OsString,
}

impl Spot {
    /// Fails where a link is on the way. The path must be absolute.
    pub(crate) fn at(path: &Path) -> Result<Self> {
        let (folder, name) = path.parent().zip(path.file_name()).ok_or(Errno::INVAL)?;
        Ok(Spot { folder: open_exact(folder, FOLDER)?, name: name.to_owned() })
    }

    pub(crate) fn within(folder: &OwnedFd, name: impl AsRef<OsStr>) -> Result<Self> {
        Ok(Spot { folder: rustix::io::fcntl_dupfd_cloexec(folder, 0)?, name: name.as_ref().to_owned() })
    }

    /// What is there, be it a link.
    pub(crate) fn facts(&self) -> Result<Stat> {
        statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW)
    }

    /// Fails where anything is there.
    pub(crate) fn make_folder(&self, mode: u32) -> Result<()> {
        mkdirat(&self.folder, &self.name, Mode::from_raw_mode(mode))
    }

    /// A new file, to be written. Fails where anything is there.
    pub(crate) fn make_file(&self, mode: u32) -> Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        openat(&self.folder, &self.name, flags, Mode::from_raw_mode(mode)).map(File::from)
    }

    /// Fails where anything is there.
    pub(crate) fn make_link(&self, target: &Path) -> Result<()> {
        symlinkat(target, &self.folder, &self.name)
    }

    /// Opens what is there. A link is not followed, and a pipe does not keep us waiting.
    pub(crate) fn open(&self, flags: OFlags) -> Result<OwnedFd> {
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        openat(&self.folder, &self.name, flags, Mode::empty())
    }

    /// Whether that which was opened is what is there.
    pub(crate) fn holds(&self, opened: impl AsFd) -> bool {
        let same = |there: Stat, opened: Stat| (there.st_dev, there.st_ino) == (opened.st_dev, opened.st_ino);
        self.facts().and_then(|there| Ok(same(there, fstat(opened)?))).unwrap_or(false)
    }

    /// Moves what is there to another place of the same disk. Fails where anything is there already.
    pub(crate) fn move_to(&self, other: &Spot) -> Result<()> {
        renameat_with(&self.folder, &self.name, &other.folder, &other.name, RenameFlags::NOREPLACE)
    }

    /// Removes that which was opened, if it is what is there.
    pub(crate) fn remove(&self, opened: impl AsFd) -> Result<()> {
        let is_folder = FileType::from_raw_mode(fstat(&opened)?.st_mode).is_dir();
        if !self.holds(opened) {
            return Err(Errno::NOENT);
        }
        let flags = if is_folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        unlinkat(&self.folder, &self.name, flags)
    }
}

/// The bytes of a plain file that is not longer, and its mode. No link is followed, also on the way.
pub(crate) fn read_short(path: &Path, longest: u64) -> io::Result<(Vec<u8>, u32)> {
    let file = File::from(Spot::at(path)?.open(OFlags::RDONLY)?);
    let facts = file.metadata()?;
    if !facts.is_file() {
        return Err(Errno::INVAL.into());
    }
    let mut bytes = Vec::new();
    file.take(longest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest {
        return Err(Errno::FBIG.into());
    }
    Ok((bytes, facts.mode() & 0o7777))
}
