//! From an edit as it was asked for to files that are changed: planned in memory, then committed as one.

pub(super) mod apply;
pub(super) mod outcome;
pub(super) mod plan;
