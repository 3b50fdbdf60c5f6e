//! Archives: reading, writing and what they may do.

pub(super) mod format;
pub(super) mod gather;
pub(super) mod outcome;
pub(super) mod read;
pub(super) mod write;
