//! Failures of the disk and the database, as errors a caller can read.

use std::io;

use hermes_core::ToolError;
use rusqlite::ErrorCode as SqliteCode;

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
    fault(format!("{what}: {why}"), error)
}

/// A failed file operation.
pub(crate) fn file(what: &str, error: &io::Error) -> ToolError {
    let why = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the disk is full",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "the folder cannot be written",
        _ => "the disk failed",
    };
    fault(format!("{what}: {why}"), error)
}
