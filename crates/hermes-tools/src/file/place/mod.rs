//! Where a session's files are.

pub(super) mod placed;
