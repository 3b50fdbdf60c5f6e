//! Example calls that are tests, documentation and search text at once.

use hermes_core::ErrorCode;
use serde_json::Value;

/// A call in a fresh workspace, and what must come back.
#[derive(Clone, Debug)]
pub struct Example {
    /// What the example shows, as a short phrase.
    pub title: &'static str,
    /// Files that stand in the workspace before the call: relative path and content.
    pub files: &'static [(&'static str, &'static str)],
    pub args: Value,
    pub expect: Expect,
}

/// What must come back.
#[derive(Clone, Debug, PartialEq)]
pub enum Expect {
    /// Success, with at least these fields; other fields may be there too.
    Success(Value),
    /// Failure with this code.
    Failure(ErrorCode),
}

impl Example {
    pub fn succeeds(title: &'static str, args: Value, fields: Value) -> Self {
        Example { title, files: &[], args, expect: Expect::Success(fields) }
    }

    pub fn fails(title: &'static str, args: Value, code: ErrorCode) -> Self {
        Example { title, files: &[], args, expect: Expect::Failure(code) }
    }

    #[must_use]
    pub fn with_files(mut self, files: &'static [(&'static str, &'static str)]) -> Self {
        self.files = files;
        self
    }
}
