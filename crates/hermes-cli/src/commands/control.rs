//! What a line of `run --jsonl` says about itself. A field of the wrong type is an error: who wrote it meant
//! something, and the call would run elsewhere or as something else.

use hermes_core::ToolError;
use serde_json::{Map, Value};

/// The fields of a line that are not of its calls.
pub(super) struct Control {
    pub(super) op: Option<String>,
    pub(super) session: Option<String>,
}

impl Control {
    /// Reads them; what is no part of a call is taken out.
    pub(super) fn take(fields: &mut Map<String, Value>) -> Result<Self, ToolError> {
        if let Some(Value::Bool(_) | Value::Array(_) | Value::Object(_)) = fields.get("id") {
            return Err(wrong("id", "a text or a number"));
        }
        let session = text("session", fields.remove("session"))?;
        Ok(Control { op: text("op", fields.get("op").cloned())?, session })
    }
}

fn text(name: &str, value: Option<Value>) -> Result<Option<String>, ToolError> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(wrong(name, "a text")),
    }
}

fn wrong(name: &str, expected: &str) -> ToolError {
    ToolError::invalid(format!("'{name}' must be {expected}; nothing was run"))
}
