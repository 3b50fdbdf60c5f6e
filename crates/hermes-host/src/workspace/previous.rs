//! The file that a write is about to replace: whether it may go, and what is kept of it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use hermes_core::{ErrorCode, ToolError};
use rustix::fs::{Access, AtFlags, FileType, Mode, OFlags, Stat, accessat, openat, statat};
use rustix::io::Errno;
use tokio_util::sync::CancellationToken;

use super::errors::{changed, exists_already, explain, not_a_file};
use super::folder::Folder;
use super::hashing::{hash_bytes, hash_file};
use super::read::{FileVersion, Found};
use super::seen::SeenState;
use super::stale::{About, stale};
use super::write::{WriteMode, WriteRequest, other_names};
use crate::undo::Before;

/// How much old content is kept for the comparison with the new one.
const MAX_KEPT: u64 = 10 * 1024 * 1024;
/// Appending copies the file; beyond this the copy costs more than atomicity is worth.
const MAX_APPENDED_TO: u64 = 256 * 1024 * 1024;

/// The file that is about to be replaced.
pub(super) struct Old {
    pub(super) stat: Stat,
    /// Missing if the file may be written but not read.
    pub(super) file: Option<File>,
    /// Kept to be compared with the new content.
    pub(super) content: Option<Vec<u8>>,
    sha256: Option<String>,
}

impl Old {
    /// The state that it is in.
    pub(super) fn state(&self) -> SeenState {
        SeenState::of_version(FileVersion::of(&self.stat)).with_hash(self.sha256.as_deref())
    }

    /// As the undo store wants to know it.
    pub(super) fn for_undo(&self) -> Before<'_> {
        Before {
            content: self.content.as_deref(),
            size: u64::try_from(self.stat.st_size).unwrap_or(0),
            mode: self.stat.st_mode & 0o7777,
            owner: (self.stat.st_uid, self.stat.st_gid),
        }
    }
}

/// Looks at the file under `name` and decides whether the request may go on. `seen` is the last state that the session
/// saw the file in, if it did. `admit` may refuse the file that stands there before anything in it is told.
pub(super) fn examine(
    folder: &Folder,
    name: &OsStr,
    (request, seen): (&WriteRequest<'_>, Option<&SeenState>),
    admit: impl FnOnce(&Stat) -> Result<(), ToolError>,
    cancel: &CancellationToken,
) -> Result<Option<Old>, ToolError> {
    let path = folder.join(name);
    let failed = |errno| explain("write", &path, errno);
    let stat = match statat(folder.handle(), name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::NOENT) if request.expected_sha256.is_some() => return Err(gone(&path)),
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(failed(errno)),
    };
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {}
        FileType::Directory => return Err(failed(Errno::ISDIR)),
        // Links were followed when the path was resolved; this one is new.
        FileType::Symlink => return Err(changed(&path)),
        _ => return Err(not_a_file(&path, Found::Special, "written")),
    }
    if request.mode == WriteMode::Create {
        return Err(exists_already(&path));
    }
    admit(&stat)?;
    // A rename would replace a write-protected file without a word.
    accessat(folder.handle(), name, Access::WRITE_OK, AtFlags::EACCESS).map_err(failed)?;
    let mut old = read_old(folder, name, stat).map_err(|error| explain("read", &path, error))?;
    let hash = |old: &Old| match &old.sha256 {
        Some(hash) => Ok(hash.clone()),
        None => hash_file(old.file.as_ref(), cancel).map_err(|error| explain("read", &path, error)),
    };
    if request.expected_sha256.is_some() {
        old.sha256 = Some(hash(&old)?);
    }
    if is_stale(&old, request, seen) {
        let end = old.content.as_ref().map_or(0, Vec::len);
        let about = match request.mode {
            WriteMode::Append => About::Part(end..end),
            WriteMode::Overwrite | WriteMode::Create => About::Whole(request.content),
        };
        return Err(stale(&path, &hash(&old)?, old.content.as_deref(), &about));
    }
    let size = u64::try_from(old.stat.st_size).unwrap_or(u64::MAX);
    if request.mode == WriteMode::Append && size > MAX_APPENDED_TO {
        return Err(ToolError::new(
            ErrorCode::TooLarge,
            format!(
                "'{}' has {size} bytes; appending copies the file and stops at {MAX_APPENDED_TO}",
                path.display()
            ),
        )
        .with_hint("Append with a shell command such as `cat part >> file`."));
    }
    Ok(Some(old))
}

/// Whether the request was made for another content than the one that is there. What is added to the end takes nothing
/// away, and who writes what is there already neither.
fn is_stale(old: &Old, request: &WriteRequest<'_>, seen: Option<&SeenState>) -> bool {
    match (request.expected_sha256, seen) {
        (Some(expected), _) => old.sha256.as_deref() != Some(expected),
        (None, Some(seen)) if request.mode == WriteMode::Overwrite => {
            !seen.is_same(&old.state()) && old.content.as_deref() != Some(request.content)
        }
        (None, _) => false,
    }
}

fn read_old(folder: &Folder, name: &OsStr, stat: Stat) -> io::Result<Old> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let mut file = match openat(folder.handle(), name, flags, Mode::empty()) {
        Ok(handle) => File::from(handle),
        Err(Errno::ACCESS) => return Ok(Old { stat, file: None, content: None, sha256: None }),
        Err(errno) => return Err(errno.into()),
    };
    let mut content = Vec::new();
    (&mut file).take(MAX_KEPT + 1).read_to_end(&mut content)?;
    let whole = u64::try_from(content.len()).is_ok_and(|length| length <= MAX_KEPT);
    let content = whole.then_some(content);
    let sha256 = content.as_ref().map(|content| hash_bytes(content));
    Ok(Old { stat, file: Some(file), content, sha256 })
}

/// Somebody else changed the file between the look and the change. Says what it is now; `new` is what it was to be.
pub(super) fn overtaken(folder: &Folder, name: &OsStr, new: &[u8]) -> ToolError {
    let path = folder.join(name);
    let now = statat(folder.handle(), name, AtFlags::SYMLINK_NOFOLLOW).map_err(io::Error::from);
    // What has other names by now, nobody has judged by them.
    match now.and_then(|stat| Ok((other_names(&stat) == 0).then_some(read_old(folder, name, stat)?))) {
        Ok(Some(old)) => {
            let sha256 = old.sha256.as_deref().unwrap_or_default();
            stale(&path, sha256, old.content.as_deref(), &About::Whole(new))
        }
        Ok(None) | Err(_) => stale(&path, "", None, &About::Unknown),
    }
}

/// There is no content that could have the expected hash.
pub(crate) fn gone(path: &Path) -> ToolError {
    ToolError::new(
        ErrorCode::Conflict,
        format!("expected_hash was given, but '{}' does not exist", path.display()),
    )
    .with_hint("Leave expected_hash out to create the file.")
}
