//! `tool_call`: the pipeline takes it off before anything looks at a call, so it never runs itself.

use std::sync::Arc;

use hermes_core::{AnyTool, Prepared, ToolError, ToolInfo};
use serde_json::{Value, json};

use super::bridge::info;

/// What the model is shown.
pub(super) struct CallTool {
    info: ToolInfo,
}

impl CallTool {
    pub(super) fn new() -> Self {
        let description =
            "Call a tool found by tool_search. Several at once: give `calls` instead of `name`.";
        let parameters = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "arguments": {"type": "object", "description": "As the tool's parameters say."},
                "calls": {"type": "array", "items": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
                    "required": ["name"],
                }},
            },
        });
        CallTool { info: info("tool_call", description.to_owned(), parameters) }
    }
}

impl AnyTool for CallTool {
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn prepare(self: Arc<Self>, _arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        Err(ToolError::invalid("tool_call needs 'name', the tool to call"))
    }
}
