//! A server's prompts as things that are agreed to, like its tools.

use serde_json::{Map, Value};

use super::definition::ToolDef;

/// The prompt as a definition: what it is called and says, its arguments, and all else that the server says of it.
pub(super) fn definition(prompt: &Value) -> ToolDef {
    let mut rest: Map<String, Value> = prompt.as_object().cloned().unwrap_or_default();
    let mut text = |key: &str| match rest.remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let (name, title, description) = (text("name").unwrap_or_default(), text("title"), text("description"));
    let input_schema = rest.remove("arguments").unwrap_or_default();
    let annotations = (!rest.is_empty()).then_some(Value::Object(rest));
    ToolDef { name, title, description, input_schema, output_schema: None, annotations, execution: None }
}
