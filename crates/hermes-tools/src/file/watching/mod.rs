//! What is watched, and how changes are told.

pub(super) mod told;
pub(super) mod watched;
