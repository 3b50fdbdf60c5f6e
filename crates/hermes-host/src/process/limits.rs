//! How much a program may use.

/// Bounds for one program. `None` leaves the bound as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that one file may have.
    pub file_bytes: Option<u64>,
    /// Descriptors that one process may have.
    pub open_files: Option<u64>,
    /// Processes and threads of the user.
    pub processes: Option<u64>,
    /// Bytes of memory that one process may fill.
    pub memory_bytes: Option<u64>,
}
