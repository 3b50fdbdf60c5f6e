//! What went wrong with a file, in words that say what to change.

use std::fmt;
use std::io;
use std::path::Path;

use hermes_core::{ErrorCode, ToolError};
use rustix::io::Errno;

use super::read::Found;

/// Marks a read that stopped because the call was cancelled.
#[derive(Debug)]
pub(super) struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the call was cancelled")
    }
}

impl std::error::Error for Cancelled {}

/// The answer to a cancelled call.
pub(super) fn cancelled() -> ToolError {
    ToolError::new(ErrorCode::Cancelled, "the call was cancelled before it was done")
}

/// Of a path that is too long so much is shown.
const SHOWN_OF_LONG: usize = 100;
const LOOK_THERE: &str = "Use directory_list to see what is there.";

fn a_folder(path: &Path) -> ToolError {
    ToolError::invalid(format!("'{}' is a folder, not a file", path.display()))
        .with_hint("Name a file in it; directory_list shows what is there.")
}

/// Turns a failed system call on `path` into an answer; `doing` is what was tried, as "read" or "write".
pub(crate) fn explain(doing: &str, path: &Path, error: impl Into<io::Error>) -> ToolError {
    let error = error.into();
    if error.get_ref().is_some_and(|inner| inner.is::<Cancelled>()) {
        return cancelled();
    }
    let shown = path.display();
    let answer = match Errno::from_io_error(&error) {
        Some(Errno::NOENT) => ToolError::not_found(format!("'{shown}' does not exist")),
        Some(Errno::NOTDIR) => {
            ToolError::invalid(format!("a part of '{shown}' is a file where a folder is needed"))
                .with_hint(LOOK_THERE)
        }
        Some(Errno::ISDIR) => a_folder(path),
        Some(Errno::NAMETOOLONG) => {
            let begun: String = shown.to_string().chars().take(SHOWN_OF_LONG).collect();
            ToolError::invalid(format!("the path is too long: '{begun}…'"))
                .with_hint("A name has at most 255 bytes, a path 4,095.")
        }
        Some(Errno::ACCESS | Errno::PERM) => ToolError::denied(format!(
            "the operating system does not let this process {doing} '{shown}'; choose another path or ask \
             the user to change its permissions"
        )),
        Some(Errno::ROFS) => {
            ToolError::denied(format!("'{shown}' is on a read-only file system; choose another path"))
        }
        Some(Errno::LOOP) => changed(path),
        Some(Errno::EXIST) => {
            ToolError::new(ErrorCode::Conflict, format!("'{shown}' appeared in the meantime"))
        }
        Some(Errno::NOSPC | Errno::DQUOT | Errno::FBIG) => ToolError::new(
            ErrorCode::ExecFailed,
            format!("no space is left for '{shown}'; nothing was changed. Free some space first"),
        ),
        Some(Errno::BUSY) => ToolError::new(
            ErrorCode::ExecFailed,
            format!(
                "'{shown}' is in use by the system, for example as a mount point, and cannot be replaced"
            ),
        ),
        Some(Errno::AGAIN) => {
            ToolError::invalid(format!("'{shown}' has nothing to read now and would block"))
        }
        Some(Errno::MFILE | Errno::NFILE | Errno::NOMEM) => {
            ToolError::new(ErrorCode::Unavailable, "too many files are open; try again later")
        }
        _ => ToolError::new(ErrorCode::ExecFailed, format!("could not {doing} '{shown}'")),
    };
    answer.with_operator(error.to_string())
}

/// The object behind the path is no longer the one that was judged.
pub(crate) fn changed(path: &Path) -> ToolError {
    let mut error = ToolError::new(
        ErrorCode::Conflict,
        format!("'{}' was replaced while it was being opened; nothing was done", path.display()),
    );
    error.retryable = true;
    error
}

/// A folder is what is looked at, and this is none.
pub(crate) fn not_a_folder(path: &Path, is_file: bool) -> ToolError {
    let shown = path.display();
    match is_file {
        true => ToolError::invalid(format!("'{shown}' is not a folder"))
            .with_hint("Read a file with read_file, and name the folder it is in to see what is beside it."),
        false => ToolError::invalid(format!("'{shown}' is neither a folder nor a regular file"))
            .with_hint("Name the folder it is in to see what is beside it."),
    }
}

/// Too much to be held at once for an edit.
pub(crate) fn too_large_to_edit(path: &Path, most: u64) -> ToolError {
    let text =
        format!("'{}' is larger than {} MiB and cannot be edited", path.display(), most / (1024 * 1024));
    ToolError::new(ErrorCode::TooLarge, text)
        .with_hint("Change it with a command in the terminal, such as sed.")
}

/// What stands there is no regular file; `done` is what can only be done with one, as "read" or "written".
pub(crate) fn not_a_file(path: &Path, found: Found, done: &str) -> ToolError {
    let shown = path.display();
    match found {
        Found::Folder => a_folder(path),
        _ => {
            let text = format!("'{shown}' is a pipe, socket or device; only regular files can be {done}");
            ToolError::invalid(text).with_hint("Use directory_list to see what is beside it.")
        }
    }
}

/// To take away what a link leads to is hardly ever meant.
pub(crate) fn is_a_link(raw: &str) -> ToolError {
    ToolError::invalid(format!("'{raw}' is a symbolic link; neither it nor what it leads to was changed"))
        .with_hint("Name the file itself, or remove or move the link with a command in the terminal.")
}

/// A file is in the way.
pub(crate) fn exists_already(path: &Path) -> ToolError {
    ToolError::new(ErrorCode::Conflict, format!("'{}' exists already", path.display()))
        .with_hint("Use mode 'overwrite' to replace it or 'append' to add to it.")
}
