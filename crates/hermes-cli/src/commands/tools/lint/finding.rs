//! One thing to mend.

use serde::Serialize;

/// What is wrong with a tool's text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Finding {
    pub(super) tool: String,
    pub(super) server: String,
    pub(super) rule: &'static str,
    pub(super) message: String,
    /// What it takes from a tool's hundred points.
    pub(super) weight: u32,
}
