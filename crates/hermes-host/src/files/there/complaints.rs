//! What programs over there complain about, as the errors they are.

use std::path::Path;

use hermes_core::{ErrorCode, ToolError};
use rustix::io::Errno;

use crate::terminal::Sent;
use crate::workspace::explain;

/// What programs say in plain English, and what the kernel told them.
const SAID: &[(&str, Errno)] = &[
    ("Permission denied", Errno::ACCESS),
    ("Operation not permitted", Errno::PERM),
    ("No space left on device", Errno::NOSPC),
    ("Disk quota exceeded", Errno::DQUOT),
    ("Read-only file system", Errno::ROFS),
    ("File name too long", Errno::NAMETOOLONG),
    ("Not a directory", Errno::NOTDIR),
    ("Is a directory", Errno::ISDIR),
    ("No such file or directory", Errno::NOENT),
];

/// Why something could not be done with `path`.
pub(super) fn complaint(doing: &str, path: &Path, sent: &Sent) -> ToolError {
    match SAID.iter().find(|(said, _)| sent.complaints.contains(said)) {
        Some((_, errno)) => explain(doing, path, *errno),
        None => unable(sent),
    }
}

/// The other side does not understand, or is gone.
pub(super) fn unable(sent: &Sent) -> ToolError {
    let last = sent.complaints.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    let text = format!("the other side could not do it (exit code {}): {last}", sent.exit_code);
    ToolError::new(ErrorCode::Unavailable, text)
}

/// An answer that the script does not give.
pub(super) fn confused(words: &str) -> ToolError {
    ToolError::internal("the other side answered something else than it was asked").with_operator(words)
}
