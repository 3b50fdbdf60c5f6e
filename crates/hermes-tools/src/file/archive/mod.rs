//! Archives: reading, writing and what they may do.

pub(super) mod format;
pub(super) mod gather;
pub(super) mod job;
pub(super) mod outcome;
pub(super) mod password;
pub(super) mod read;
mod seven_zip;
mod times;
pub(super) mod write;
