//! Writing a whole file: the old content or the new, never a mixture, and only where the permit reaches.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use hermes_core::{CallContext, ErrorCode, Permission, ToolError};
use rustix::fs::{AtFlags, Stat, statat};
use rustix::io::Errno;

use super::Workspace;
use super::errors::{cancelled, explain};
use super::folder::{Folder, unmake};
use super::hashing::{Hashing, copy};
use super::previous::{Old, examine, gone, overtaken};
use super::read::FileVersion;
use super::seen::SeenState;
use super::stamp::hand_on;
use super::temp::TempFile;
use crate::undo::{Remembered, Touch};

/// What to do about a file that exists already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteMode {
    /// Replace it.
    Overwrite,
    /// Keep it and add to its end.
    Append,
    /// Refuse.
    Create,
}

/// What is added to a file depends on the form of what is there: given its beginning, the bytes to add.
#[derive(Clone, Copy)]
pub struct Fit<'a>(pub &'a Fitting<'a>);

/// From what a file begins with to what is to be put behind its end.
pub type Fitting<'a> = dyn Fn(&[u8]) -> Result<Vec<u8>, ToolError> + Sync + 'a;

impl fmt::Debug for Fit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fit")
    }
}

/// How often a write is tried that others get in the way of.
const ATTEMPTS: usize = 10;

/// How much of a file its form is told by.
const BEGINNING: u64 = 64 * 1024;

/// One file to be written.
#[derive(Clone, Copy, Debug)]
pub struct WriteRequest<'a> {
    pub content: &'a [u8],
    pub mode: WriteMode,
    /// Make missing folders above the file.
    pub create_dirs: bool,
    /// Lower-case SHA-256 that the current content must have.
    pub expected_sha256: Option<&'a str>,
    /// Takes the place of `content` where something is added to a file.
    pub fit: Option<Fit<'a>>,
}

/// A file that was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// The path with all links followed.
    pub path: PathBuf,
    /// Whether a symbolic link in the given path led to `path`.
    pub through_link: bool,
    pub created: bool,
    /// Whether somebody else had changed the file, or removed it, since this session saw it.
    pub was_missed: bool,
    /// How many other names kept the old content, because the file had several.
    pub other_names: u64,
    /// What was there before, if it is small enough to compare.
    pub before: Option<Vec<u8>>,
    /// SHA-256 of the whole file as it is now.
    pub sha256: String,
    pub size: u64,
}

/// Why nothing was written.
enum Unwritten {
    /// Somebody else saved between the look and the change.
    Overtaken(ToolError),
    Refused(ToolError),
}

impl From<ToolError> for Unwritten {
    fn from(error: ToolError) -> Self {
        Unwritten::Refused(error)
    }
}

impl Workspace {
    /// Writes a file atomically and durably. On any error the old content is untouched.
    pub fn write(
        &self,
        cx: &CallContext,
        raw: &str,
        request: &WriteRequest<'_>,
    ) -> Result<Written, ToolError> {
        let path = self.judge(cx, raw, &Permission::FILE_WRITE)?;
        let _agreed = self.agreed(cx, [&path]);
        let mut attempt = 1;
        let written = loop {
            match self.write_once(cx, (raw, &path), request) {
                // Somebody else saved at the same moment. Whoever names no content goes by what is there now.
                Err(Unwritten::Overtaken(_)) if request.expected_sha256.is_none() && attempt < ATTEMPTS => {
                    attempt += 1;
                }
                Err(Unwritten::Overtaken(error) | Unwritten::Refused(error)) => break Err(error),
                Ok(written) => break Ok(written),
            }
        };
        if written.is_ok() {
            self.settled(cx, &path);
        }
        written.map_err(|error| self.without_what_is_closed(cx, &path, error))
    }

    fn write_once(
        &self,
        cx: &CallContext,
        (raw, path): (&str, &Path),
        request: &WriteRequest<'_>,
    ) -> Result<Written, Unwritten> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(ToolError::invalid("the path names the root folder, not a file").into());
        };
        let mut made = Vec::new();
        let opened = match Folder::open(parent)? {
            Some(folder) => Ok(folder),
            None if request.expected_sha256.is_some() => Err(gone(path)),
            None if request.create_dirs => Folder::open_or_create(parent, &mut made),
            None => Err(ToolError::not_found(format!("the folder '{}' does not exist", parent.display()))
                .with_hint("Pass create_dirs: true to make it.")),
        };
        let written = opened
            .map_err(Unwritten::from)
            .and_then(|folder| self.write_in(cx, (raw, path, name), request, (&folder, &made)));
        if written.is_err() {
            unmake(&made);
        }
        written
    }

    /// Writes the file in its folder; `made` was made for it.
    fn write_in(
        &self,
        cx: &CallContext,
        (raw, path, name): (&str, &Path, &OsStr),
        request: &WriteRequest<'_>,
        (folder, made): (&Folder, &[PathBuf]),
    ) -> Result<Written, Unwritten> {
        if folder.lock(cx.cancel())? {
            self.swept.sweep(folder);
        }
        let eyes = self.eyes(cx.session(), None);
        let seen = eyes.last(path);
        let admit = |stat: &Stat| self.admit_others(cx, path, stat);
        let old = examine(folder, name, (request, seen.as_ref()), admit, cx.cancel())?;
        let failed = |error: io::Error| explain("write", path, error);
        // A private mode while the old owner and mode are not handed on yet.
        let mode = if old.is_some() { 0o600 } else { 0o666 };
        let mut temp = TempFile::create(folder, mode).map_err(|errno| failed(errno.into()))?;
        let mut sink = Hashing::new(&mut temp);
        if let (WriteMode::Append, Some(old)) = (request.mode, &old) {
            copy(old.file.as_ref(), &mut sink, cx.cancel()).map_err(failed)?;
        }
        let fitted = match (request.mode, request.fit, &old) {
            (WriteMode::Append, Some(Fit(fit)), Some(old)) => Some(fit(&beginning(old).map_err(failed)?)?),
            _ => None,
        };
        sink.write_all(fitted.as_deref().unwrap_or(request.content)).map_err(failed)?;
        let (sha256, size) = sink.finish();
        if let Some(old) = &old {
            hand_on(&old.stat, old.file.as_ref(), &temp).map_err(|errno| failed(errno.into()))?;
        }
        temp.sync().map_err(failed)?;
        if cx.cancel().is_cancelled() {
            return Err(cancelled().into());
        }
        let before = old.as_ref().map(Old::for_undo);
        let touch = Touch { path, before, after: Some((&sha256, size)) };
        let remembered = self.undo.as_ref().map(|undo| undo.remember(cx, &[touch], made)).transpose()?;
        let named = match &old {
            Some(old) => temp.replace(name, &old.stat),
            None => temp.place(name),
        };
        named.map_err(|errno| {
            remembered.into_iter().for_each(Remembered::forget);
            match errno {
                Errno::STALE => Unwritten::Overtaken(overtaken(folder, name, request.content)),
                errno => failed(errno.into()).into(),
            }
        })?;
        let was_known = match (&old, &seen) {
            (Some(old), Some(seen)) => request.mode != WriteMode::Append || seen.is_same(&old.state()),
            (Some(_), None) => request.mode != WriteMode::Append,
            (None, _) => true,
        };
        if was_known {
            let state = SeenState::of_hash(&sha256);
            let stat = statat(folder.handle(), name, AtFlags::SYMLINK_NOFOLLOW).ok();
            // Where the file is too large to be hashed again, its times must tell.
            let version = stat.filter(|stat| u64::try_from(stat.st_size) == Ok(size));
            eyes.saw(path, version.map_or(state.clone(), |stat| state.with_version(FileVersion::of(&stat))));
        }
        folder.sync().map_err(|errno| unsettled(path, errno))?;
        Ok(Written {
            through_link: self.leads_through_link(cx.cwd(), raw, path),
            created: old.is_none(),
            was_missed: match (&old, &seen) {
                _ if request.expected_sha256.is_some() => false,
                (Some(old), Some(seen)) => !seen.is_same(&old.state()),
                (None, seen) => seen.is_some(),
                (Some(_), None) => false,
            },
            other_names: old.as_ref().map_or(0, |old| other_names(&old.stat)),
            before: old.and_then(|old| old.content),
            sha256,
            size,
            path: path.to_owned(),
        })
    }
}

fn beginning(old: &Old) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match (&old.content, &old.file) {
        (Some(content), _) => bytes.clone_from(content),
        (None, Some(file)) => {
            let mut file: &File = file;
            file.rewind()?;
            file.take(BEGINNING).read_to_end(&mut bytes)?;
        }
        (None, None) => {}
    }
    Ok(bytes)
}

/// How many names besides this one the file had.
#[allow(clippy::useless_conversion, reason = "the width of a link count differs between platforms")]
pub(super) fn other_names(stat: &rustix::fs::Stat) -> u64 {
    u64::from(stat.st_nlink).saturating_sub(1)
}

/// The new content is in place, but whether it survives a power cut is not known.
fn unsettled(path: &std::path::Path, error: impl Into<io::Error>) -> ToolError {
    ToolError::new(
        ErrorCode::OutcomeUnknown,
        format!("'{}' was written, but the disk did not confirm it; read it back", path.display()),
    )
    .with_operator(error.into().to_string())
}
