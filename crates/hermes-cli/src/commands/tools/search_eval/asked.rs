//! The queries of a file.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// One search and its right answers.
#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(deserialize_with = "text_or_number")]
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

fn text_or_number<'de, D: Deserializer<'de>>(id: D) -> Result<String, D::Error> {
    match Value::deserialize(id)? {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(D::Error::custom("query_id must be a text or a number")),
    }
}

/// Whether one of the right tools is enough.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    #[default]
    Any,
    All,
}
