//! Failures of the disk and the database, as errors a caller can read.

use std::io;
use std::path::Path;

use hermes_core::ToolError;
use rusqlite::ErrorCode as SqliteCode;

const MAKE_ROOM: &str = "Make room where the folder of Hermes is, and try again.";
/// What SQLite needs at least for its index of the log.
const ROOM_BESIDE: u64 = 64 << 10;

/// An error that will not go away by asking again at once. The cause goes to the operator only.
pub(crate) fn fault(message: impl Into<String>, cause: impl std::fmt::Display) -> ToolError {
    ToolError::internal(message).with_operator(cause.to_string())
}

/// A failed database operation. `what` says what did not happen.
pub(crate) fn database(what: &str, error: &rusqlite::Error) -> ToolError {
    let why = match error.sqlite_error_code() {
        Some(SqliteCode::DiskFull) => "the disk is full",
        Some(SqliteCode::DatabaseBusy | SqliteCode::DatabaseLocked) => {
            "another process kept the database locked"
        }
        Some(SqliteCode::DatabaseCorrupt | SqliteCode::NotADatabase) => "the database is damaged",
        Some(SqliteCode::ReadOnly | SqliteCode::PermissionDenied | SqliteCode::CannotOpen) => {
            "the database cannot be written"
        }
        Some(SqliteCode::SystemIoFailure) => "the disk failed",
        _ => "the database failed",
    };
    let fault = fault(format!("{what}: {why}"), error);
    match error.sqlite_error_code() {
        Some(SqliteCode::DiskFull) => fault.with_hint(MAKE_ROOM),
        Some(SqliteCode::DatabaseCorrupt | SqliteCode::NotADatabase) => fault.with_hint(
            "Put a copy of state.db back, or move it away with its -wal and -shm files: a new one is made. What is in \
             it can still be looked at with 'hermes journal verify'.",
        ),
        _ => fault,
    }
}

/// The same error, or that the disk is full where that is why: SQLite says only that reading or writing failed
/// when it finds no room for the files it keeps beside the database.
pub(super) fn named(path: &Path, error: rusqlite::Error) -> rusqlite::Error {
    let io_failed = error.sqlite_error_code() == Some(SqliteCode::SystemIoFailure);
    let folder = path.parent().filter(|_| io_failed);
    let is_full = folder
        .and_then(|folder| rustix::fs::statvfs(folder).ok())
        .is_some_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < ROOM_BESIDE);
    match is_full {
        true => {
            let full = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL);
            rusqlite::Error::SqliteFailure(full, Some(error.to_string()))
        }
        false => error,
    }
}

/// A failed file operation.
pub(crate) fn file(what: &str, error: &io::Error) -> ToolError {
    let why = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            return fault(format!("{what}: the disk is full"), error).with_hint(MAKE_ROOM);
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "the folder cannot be written",
        _ => "the disk failed",
    };
    fault(format!("{what}: {why}"), error)
}
