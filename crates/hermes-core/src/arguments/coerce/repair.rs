//! The record of one changed argument.

use std::fmt;

use serde_json::Value;

use crate::arguments::preview::preview;

/// One value that was changed, with short previews of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// JSON pointer into the arguments.
    pub path: String,
    pub from: String,
    pub to: String,
}

impl Repair {
    pub(super) fn new(path: &str, from: &Value, to: &Value) -> Self {
        Repair { path: path.to_owned(), from: preview(from), to: preview(to) }
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} -> {}", self.path, self.from, self.to)
    }
}
