//! Finding files by name and lines by content.

mod as_shown;
pub(super) mod content;
pub(super) mod glob;
pub(super) mod line;
pub(super) mod names;
pub(super) mod pattern;
pub(super) mod ranked;
mod reads;
mod through;
