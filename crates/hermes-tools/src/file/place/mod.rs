//! Where a session's files are.

pub(super) mod missing;
pub(super) mod placed;
