//! V4A patches: several files in one text, applied wholly or not at all.

mod apply;
mod block;
mod diff_head;
mod fences;
mod headings;
mod hunk;
mod insert;
mod last_line;
mod marker;
mod numbers;
mod parse;
mod sections;
mod splice;

pub(crate) use apply::{Files, NOT_THERE, apply};
pub(crate) use parse::{Operation, mentioned, parse};
