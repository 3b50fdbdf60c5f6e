//! Whole documents from the wire: strict JSON, every key once.

use serde_json::Value;

use super::parse::KEPT_AS_TEXT;
use super::reader::{Dialect, Forgiven, Kind, field, read_apart};
use crate::error::ToolError;

/// Reads strict JSON and refuses duplicate keys, so that what is judged is what anyone else would read.
/// The error says line and column.
pub fn parse_json(text: &str) -> Result<Value, ToolError> {
    parse_json_apart(text, &[]).map(|(value, _)| value)
}

/// The same for a document with parts that stand for themselves: an object under one of the keys that names a key
/// twice or nests too deep is its own text, which whoever reads that part refuses. Beside it stands what there is to say of
/// those parts.
pub fn parse_json_apart(
    text: &str,
    keys: &'static [&'static str],
) -> Result<(Value, Option<&'static str>), ToolError> {
    let body = text.trim_start_matches('\u{feff}');
    let noted =
        |(value, forgiven): (Value, Forgiven)| (value, forgiven.big_integers_apart.then_some(KEPT_AS_TEXT));
    read_apart(body, Dialect::JSON, keys).map(noted).map_err(|flaw| {
        let before = body.get(..body.floor_char_boundary(flaw.at)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let what = match &flaw.kind {
            Kind::DuplicateKey(key) => format!("the key '{key}' stands twice"),
            Kind::Truncated => format!("the text ends early; expected {}", flaw.expected),
            _ => format!("expected {}", flaw.expected),
        };
        ToolError::invalid(format!("line {line}, column {column}: {what}"))
    })
}

/// The value of one field of an object to the letter, also where the rest of the text is wrong: who wrote it may know it
/// only by that.
pub fn field_as_written<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    field(text.trim_start_matches('\u{feff}'), key)
}
