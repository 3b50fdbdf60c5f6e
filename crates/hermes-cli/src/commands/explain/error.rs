//! `hermes explain error`: an error text as the model would read it.

use hermes_core::redact::Redactor;
use hermes_core::text::sanitise_redacted;
use serde_json::{Map, Value, json};

use super::rows::fields;
use crate::commands::run::read_text;
use crate::failure::Failure;
use crate::render::{print_json, print_text};

pub(super) fn row(row: &Map<String, Value>, redactor: &Redactor) -> Map<String, Value> {
    match row.get("input").and_then(Value::as_str) {
        Some(input) => fields([("output", sanitise_redacted(input, redactor).into())]),
        None => fields([("error", "the case has no 'input' text".into())]),
    }
}

pub(super) fn one(text: Option<String>, redactor: &Redactor, json: bool) -> Result<(), Failure> {
    let text = match text {
        Some(text) => text,
        None => read_text(std::path::Path::new("-"))?,
    };
    let output = sanitise_redacted(&text, redactor);
    if json { print_json(&json!({ "output": output })) } else { print_text(&format!("{output}\n")) }
}
