//! Comparing files and folders.

pub(super) mod folders;
pub(super) mod hunks;
pub(super) mod side;
pub(super) mod source;
