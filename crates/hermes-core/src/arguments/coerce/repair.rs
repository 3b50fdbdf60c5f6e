//! The record of one changed argument.

use serde_json::Value;

use crate::redact::Redactor;

const MAX_CHARS: usize = 60;
const MAX_PATH_CHARS: usize = 160;

/// One value that was changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Repair {
    /// JSON pointer into the arguments.
    pub path: String,
    pub from: Value,
    pub to: Value,
}

impl Repair {
    /// The change in a line, with the start of both sides and without secrets.
    pub fn note(&self, redactor: &Redactor) -> String {
        let path = redactor.shortened_pointer(&self.path, MAX_PATH_CHARS);
        let side = |value: &Value| redactor.shortened_value(value, MAX_CHARS);
        format!("{path}: {} -> {}", side(&self.from), side(&self.to))
    }
}
