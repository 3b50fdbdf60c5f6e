//! Where new files wait until all of them are there.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use hermes_core::{CallContext, ErrorCode, Permission, ToolError};
use rustix::fs::{Mode, OFlags, fchmod, mkdirat, openat, syncfs};

use super::names::checked;
use super::{below, place};
use crate::workspace::Workspace;
use crate::workspace::errors::{cancelled, explain};
use crate::workspace::folder::{Folder, unmake};
use crate::workspace::hashing::Hashing;
use crate::workspace::stamp::date;
use crate::workspace::temp::temporary_name;

/// How much may come out of an archive.
#[derive(Clone, Copy, Debug)]
pub struct UnpackLimits {
    pub max_entries: usize,
    pub max_bytes: u64,
    /// How many bytes may come out for each that goes in.
    pub max_ratio: u64,
    /// The size of the archive.
    pub archive_bytes: u64,
}

impl UnpackLimits {
    fn most_bytes(&self) -> u64 {
        // A small archive of zeros is no bomb.
        const SMALL: u64 = 1024 * 1024;
        self.max_bytes.min(self.archive_bytes.saturating_mul(self.max_ratio).max(SMALL))
    }
}

/// New files on their way. Dropped before [`Unpacking::finish`], it leaves nothing behind.
pub struct Unpacking<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) cx: &'a CallContext,
    pub(super) path: PathBuf,
    pub(super) folder: Folder,
    pub(super) staging: OwnedFd,
    name: String,
    limits: UnpackLimits,
    pub(super) overwrite: bool,
    pub(super) files: Vec<NewEntry>,
    /// With when they were changed last, where that is known.
    pub(super) folders: BTreeMap<PathBuf, Option<i64>>,
    /// Folders above the destination that were made for it.
    pub(super) made: Vec<PathBuf>,
    bytes: u64,
    entries: usize,
    pub(super) done: bool,
}

/// A file that waits.
pub(super) struct NewEntry {
    pub(super) path: PathBuf,
    pub(super) sha256: String,
    pub(super) size: u64,
}

/// What was put in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpacked {
    /// The destination with all links followed.
    pub path: PathBuf,
    pub files: usize,
    pub bytes: u64,
}

impl Workspace {
    /// Begins to put files below a folder, which is made if it is missing.
    pub fn unpack<'a>(
        &'a self,
        cx: &'a CallContext,
        raw: &str,
        overwrite: bool,
        limits: UnpackLimits,
    ) -> Result<Unpacking<'a>, ToolError> {
        // That things are put into it says of none of them that somebody agreed to it.
        let path = self.judge(cx, raw, &Permission::FILE_WRITE)?;
        let mut made = Vec::new();
        let begun = Folder::open_or_create(&path, &mut made).and_then(|folder| {
            if folder.lock(cx.cancel())? {
                self.swept.sweep(&folder);
            }
            let name = temporary_name();
            let failed = |errno| explain("write", &path, errno);
            mkdirat(folder.handle(), name.as_str(), Mode::from_raw_mode(0o700)).map_err(failed)?;
            let staging = below::open(folder.handle(), Path::new(&name)).map_err(failed)?;
            Ok((folder, name, staging))
        });
        match begun {
            Ok((folder, name, staging)) => Ok(Unpacking {
                workspace: self,
                cx,
                path,
                folder,
                staging,
                name,
                limits,
                overwrite,
                files: Vec::new(),
                folders: BTreeMap::new(),
                made,
                bytes: 0,
                entries: 0,
                done: false,
            }),
            Err(error) => {
                unmake(&made);
                Err(error)
            }
        }
    }
}

impl Unpacking<'_> {
    /// Refuses a name that no entry may have, whatever becomes of the entry.
    pub fn look_at(&self, name: &OsStr) -> Result<(), ToolError> {
        checked(name).map(|_| ())
    }

    /// A folder of the archive, with when it was changed last, in seconds since the epoch.
    pub fn folder(&mut self, name: &OsStr, modified: Option<i64>) -> Result<(), ToolError> {
        if let Some(path) = self.admit(name)? {
            self.make(&path)?;
            self.folders.insert(path, modified);
        }
        Ok(())
    }

    /// A file of the archive, with its permission bits as far as they are harmless, and when it was changed last.
    pub fn file(
        &mut self,
        name: &OsStr,
        (mode, modified): (Option<u32>, Option<i64>),
        content: &mut dyn Read,
    ) -> Result<u64, ToolError> {
        let Some(path) = self.admit(name)? else {
            return Err(ToolError::invalid("the archive is refused: an entry has no name"));
        };
        let (parent, name) = (path.parent().unwrap_or(Path::new("")), path.file_name().unwrap_or_default());
        let folder = self.make(parent)?;
        let mut file = create(&folder, name).map_err(|error| self.failed(&path, error))?;
        let (sha256, size) = self.copy(content, &mut file, &path)?;
        let mode = mode.map_or(0o644, |mode| (mode & 0o755) | 0o600);
        fchmod(&file, Mode::from_raw_mode(mode)).map_err(|errno| self.failed(&path, errno.into()))?;
        date(&file, modified);
        self.files.push(NewEntry { path, sha256, size });
        Ok(size)
    }

    /// Puts everything in place, or nothing.
    pub fn finish(mut self) -> Result<Unpacked, ToolError> {
        // One sync for all files: thousands of single ones would take minutes.
        syncfs(&self.staging).map_err(|errno| self.failed(&self.path.clone(), errno.into()))?;
        if self.cx.cancel().is_cancelled() {
            return Err(cancelled());
        }
        let placed: Vec<PathBuf> = self.asked_about();
        let _agreed = self.workspace.agreed(self.cx, &placed);
        place::place(&self)?;
        self.done = true;
        placed.iter().for_each(|path| self.workspace.settled(self.cx, path));
        Ok(Unpacked { path: self.path.clone(), files: self.files.len(), bytes: self.bytes })
    }

    /// Of the new files those that nobody else may put there.
    fn asked_about(&self) -> Vec<PathBuf> {
        let placed = self.files.iter().map(|entry| self.path.join(&entry.path));
        placed.filter(|path| self.workspace.is_asked_about(self.cx, path)).collect()
    }

    /// Checks an entry before anything of it is written.
    fn admit(&mut self, name: &OsStr) -> Result<Option<PathBuf>, ToolError> {
        self.entries += 1;
        if self.entries > self.limits.max_entries {
            return Err(too_large(format!("it has more than {} entries", self.limits.max_entries)));
        }
        if self.cx.cancel().is_cancelled() {
            return Err(cancelled());
        }
        let Some(path) = checked(name)? else { return Ok(None) };
        let target = self.path.join(&path);
        if !self.cx.permit().opens(&Permission::FILE_WRITE, &target)
            || self.workspace.is_closed(&target, false)
        {
            return Err(ToolError::denied(format!(
                "the archive is refused: '{}' is protected from writing",
                target.display()
            )));
        }
        Ok(Some(path))
    }

    fn make(&self, path: &Path) -> Result<OwnedFd, ToolError> {
        below::open_or_make(&self.staging, path, &mut Vec::new())
            .map_err(|errno| self.failed(path, errno.into()))
    }

    fn copy(&mut self, from: &mut dyn Read, to: &mut File, path: &Path) -> Result<(String, u64), ToolError> {
        let most = self.limits.most_bytes();
        let mut sink = Hashing::new(to);
        let mut buffer = vec![0; 64 * 1024];
        loop {
            if self.cx.cancel().is_cancelled() {
                return Err(cancelled());
            }
            let length = match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(corrupt(&error)),
            };
            self.bytes = self.bytes.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
            if self.bytes > most {
                return Err(too_large(format!("more than {most} bytes come out of it")));
            }
            let part = buffer.get(..length).unwrap_or_default();
            sink.write_all(part).map_err(|error| explain("write", &self.path.join(path), error))?;
        }
        Ok(sink.finish())
    }

    pub(super) fn failed(&self, path: &Path, error: io::Error) -> ToolError {
        if error.kind() == io::ErrorKind::AlreadyExists || error.kind() == io::ErrorKind::NotADirectory {
            return ToolError::invalid(format!(
                "the archive is refused: '{}' is in it twice, or both as a file and as a folder",
                path.display()
            ));
        }
        explain("write", &self.path.join(path), error)
    }
}

impl Drop for Unpacking<'_> {
    fn drop(&mut self) {
        below::remove_tree(self.folder.handle(), OsStr::new(&self.name));
        if !self.done {
            unmake(&self.made);
        }
    }
}

fn create(folder: &OwnedFd, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(File::from(openat(folder, name, flags, Mode::from_raw_mode(0o600))?))
}

fn too_large(why: String) -> ToolError {
    ToolError::new(ErrorCode::TooLarge, format!("the archive is refused: {why}; nothing was unpacked"))
}

/// An archive that ends early or does not add up.
pub(crate) fn corrupt(error: &io::Error) -> ToolError {
    ToolError::invalid("the archive is damaged; nothing was unpacked").with_operator(error.to_string())
}
