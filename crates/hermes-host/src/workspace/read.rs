//! Opening files for reading, as streams that stop when the call does.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use hermes_core::{CallContext, Permission, ToolError};
use rustix::fs::{AtFlags, CWD, FileType, OFlags, ResolveFlags, Stat, fstat, statat};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use super::Workspace;
use super::errors::{Cancelled, changed, explain, not_a_file};
use super::hashing::hex;
use super::open::{open_exact, open_exact_if};
use super::seen::{Eyes, SeenState};
use super::source::Source;
use super::spare::Spare;
use super::write::other_names;

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    File,
    Folder,
    /// A pipe, socket or device.
    Special,
    Nothing,
}

/// A state of a file: another one has another version, even if its times were set back by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileVersion {
    object: (u64, u64),
    size: i64,
    modified: (i64, u64),
    changed: (i64, u64),
}

impl FileVersion {
    pub(super) fn of(stat: &Stat) -> Self {
        FileVersion {
            object: (stat.st_dev, stat.st_ino),
            size: stat.st_size,
            modified: (stat.st_mtime, stat.st_mtime_nsec),
            changed: (stat.st_ctime, stat.st_ctime_nsec),
        }
    }

    /// Where only the content is known, that is the state.
    pub(crate) fn of_content(content: &[u8]) -> Self {
        let hash = Sha256::digest(content);
        let half = |at: usize| hash.iter().skip(at).take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte));
        let size = i64::try_from(content.len()).unwrap_or(i64::MAX);
        FileVersion { object: (half(0), half(8)), size, modified: (0, 0), changed: (0, 0) }
    }
}

/// Files up to this size are hashed while they are read.
const MAX_HASHED: u64 = 10 * 1024 * 1024;

/// A regular file, open for reading. Reads fail once the call is cancelled.
#[derive(Debug)]
pub struct OpenFile {
    source: Source,
    path: PathBuf,
    size: u64,
    version: FileVersion,
    mode: Option<u32>,
    cancel: CancellationToken,
    eyes: Eyes,
    hash: Option<Sha256>,
    at_end: bool,
    spare: Option<Spare>,
}

impl OpenFile {
    /// A file of this machine.
    pub(super) fn new(source: Source, path: PathBuf, stat: &Stat, (cx, eyes): (&CallContext, Eyes)) -> Self {
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        OpenFile {
            source,
            path,
            size,
            version: FileVersion::of(stat),
            mode: Some(stat.st_mode & 0o7777),
            cancel: cx.cancel().clone(),
            eyes,
            hash: (size <= MAX_HASHED).then(Sha256::new),
            at_end: false,
            spare: None,
        }
    }

    /// The same, whose content stands in room that others may use after it.
    pub(super) fn sparing(self, spare: Spare) -> Self {
        OpenFile { spare: Some(spare), ..self }
    }

    /// A file elsewhere, all of which was fetched.
    pub(crate) fn of_content(path: PathBuf, content: Vec<u8>, (cx, eyes): (&CallContext, Eyes)) -> Self {
        let size = u64::try_from(content.len()).unwrap_or(u64::MAX);
        OpenFile {
            path,
            size,
            version: FileVersion::of_content(&content),
            mode: None,
            cancel: cx.cancel().clone(),
            eyes,
            hash: (size <= MAX_HASHED).then(Sha256::new),
            at_end: false,
            spare: None,
            source: Source::Fetched(io::Cursor::new(content)),
        }
    }

    /// The path with all links followed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The size at the time of opening; 0 for files that the kernel makes up, as in `/proc`.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// What the kernel knows about this state of the file.
    pub fn version(&self) -> FileVersion {
        self.version
    }

    /// Its permission bits, where they are known.
    pub fn mode(&self) -> Option<u32> {
        self.mode
    }

    /// When it was changed last, in seconds since the epoch; known where the mode is.
    pub fn modified(&self) -> Option<i64> {
        self.mode.map(|_| self.version.modified.0)
    }

    /// For whoever knows the hash already.
    pub fn leave_unhashed(&mut self) {
        self.hash = None;
    }

    /// All of the content, if it is in memory, is no longer than `most` and nothing of it was read yet.
    pub fn take_content(&mut self, most: usize) -> Option<Vec<u8>> {
        let content = self.source.take_all(most)?;
        if let Some(hash) = &mut self.hash {
            hash.update(&content);
        }
        self.at_end = true;
        Some(content)
    }

    /// Content that was taken and is not needed any more.
    pub fn give_back(&self, content: Vec<u8>) {
        if let Some(spare) = &self.spare {
            spare.keep(content);
        }
    }

    /// SHA-256 of the content, if the file is not large and was read from beginning to end.
    pub fn sha256(&self) -> Option<String> {
        self.hash.clone().filter(|_| self.at_end).map(hex)
    }

    /// The session has been shown this state of the file, or a part of it.
    pub fn was_shown(&self, sha256: Option<&str>) {
        self.eyes.saw(&self.path, SeenState::of_version(self.version).with_hash(sha256));
    }

    /// Whether the session has seen another state of the file, and not this one.
    pub(super) fn was_missed(&self, sha256: &str) -> bool {
        self.eyes.missed(&self.path, &SeenState::of_version(self.version).with_hash(Some(sha256)))
    }

    /// Turns an error of a read into an answer.
    pub fn explain(&self, error: io::Error) -> ToolError {
        explain("read", &self.path, error)
    }
}

impl Read for OpenFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other(Cancelled));
        }
        if self.at_end {
            return Ok(0);
        }
        let length = self.source.read(buffer)?;
        if let (Some(hash), Some(part)) = (&mut self.hash, buffer.get(..length)) {
            hash.update(part);
        }
        self.at_end = length == 0 && !buffer.is_empty();
        Ok(length)
    }
}

impl Seek for OpenFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.hash = None;
        self.at_end = false;
        self.source.seek(position)
    }
}

impl Workspace {
    /// Opens a regular file. Pipes, sockets and devices are refused without being touched.
    pub fn open_read(&self, cx: &CallContext, raw: &str) -> Result<OpenFile, ToolError> {
        let path = self.judge(cx, raw, &Permission::FILE_READ)?;
        let (opened, stat) = self.open_regular(&path, ResolveFlags::empty())?;
        self.admit_others(cx, &path, &stat)?;
        Ok(OpenFile::new(Source::File(File::from(opened)), path, &stat, (cx, self.eyes(cx.session(), None))))
    }

    /// Opens a regular file that was judged, under one more condition.
    pub(super) fn open_regular(
        &self,
        path: &Path,
        condition: ResolveFlags,
    ) -> Result<(OwnedFd, Stat), ToolError> {
        let failed = |errno| explain("read", path, errno);
        // Looked at before it is opened: opening a device for real can already change its state.
        let before = self.looked_at.just_now(path);
        let named = match before {
            Some(seen) => seen,
            None => statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW).map_err(failed)?,
        };
        match kind_of(&named) {
            Found::File => {}
            _ if FileType::from_raw_mode(named.st_mode).is_symlink() => return Err(failed(Errno::LOOP)),
            found => return Err(not_a_file(path, found, "read")),
        }
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
        let opened = open_exact_if(path, flags, condition).map_err(failed)?;
        let stat = fstat(&opened).map_err(failed)?;
        if (stat.st_dev, stat.st_ino) != (named.st_dev, named.st_ino) {
            // Replaced since an earlier look, as editors do: looked at once more.
            return if before.is_some() { self.open_regular(path, condition) } else { Err(changed(path)) };
        }
        // To ask about other names takes a look at the disk.
        if condition.contains(ResolveFlags::CACHED) && other_names(&stat) > 0 {
            return Err(failed(Errno::AGAIN));
        }
        // The link may have been made after the path was resolved.
        if self.first_name(path, &stat).is_some() {
            return Err(ToolError::denied(format!(
                "'{}' is another name of a file that is guarded",
                path.display()
            )));
        }
        Ok((opened, stat))
    }

    /// What stands at a path that this call may read.
    pub fn look(&self, cx: &CallContext, raw: &str) -> Result<Found, ToolError> {
        let path = self.judge(cx, raw, &Permission::FILE_READ)?;
        match open_exact(&path, OFlags::PATH).and_then(fstat) {
            Ok(stat) => Ok(kind_of(&stat)),
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(Found::Nothing),
            Err(errno) => Err(explain("read", &path, errno)),
        }
    }
}

fn kind_of(stat: &Stat) -> Found {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Found::File,
        FileType::Directory => Found::Folder,
        _ => Found::Special,
    }
}
