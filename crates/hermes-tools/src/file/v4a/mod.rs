//! V4A patches: several files in one text, applied wholly or not at all.

mod apply;
mod hunk;
mod parse;

pub(super) use apply::{Change, Files, apply};
pub(super) use parse::{Line, Operation, parse};
