//! Writes outcomes: seed 004's response object, or one chat message per call.

use hermes_core::ToolOutcome;
use serde_json::{Value, json};

/// `{"tool_results": [{"tool_call_id", "role": "tool", "name", "content": {"status", …}}]}`.
pub fn respond(outcomes: &[ToolOutcome]) -> Value {
    json!({ "tool_results": outcomes.iter().map(tool_result).collect::<Vec<_>>() })
}

fn tool_result(outcome: &ToolOutcome) -> Value {
    json!({
        "tool_call_id": outcome.call_id,
        "role": "tool",
        "name": outcome.tool,
        "content": outcome.to_wire_with_status(),
    })
}

/// The chat form of the same result: content as a JSON string.
pub fn tool_message(outcome: &ToolOutcome) -> Value {
    json!({
        "role": "tool",
        "tool_call_id": outcome.call_id,
        "name": outcome.tool,
        "content": Value::Object(outcome.to_wire()).to_string(),
    })
}
