//! The queries of a file.

use serde::Deserialize;

/// One search and its right answers.
#[derive(Deserialize)]
pub(super) struct Asked {
    pub(super) query_id: String,
    pub(super) query: String,
    pub(super) gold: Vec<String>,
    #[serde(default)]
    pub(super) catalog: String,
    #[serde(default)]
    pub(super) mode: Mode,
    #[serde(default)]
    pub(super) source: String,
    #[serde(default)]
    pub(super) server_hint: Option<String>,
}

/// Whether one of the right tools is enough.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    #[default]
    Any,
    All,
}
