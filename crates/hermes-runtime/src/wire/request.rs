//! Reads a request: seed 004's object, an assistant message, or one bare call.

use hermes_core::{ToolCall, ToolError};
use serde_json::{Map, Value};

use super::keys::{is_use, unknown_keys};

/// Calls to run, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub calls: Vec<ToolCall>,
    /// What was in the request and means nothing.
    pub warnings: Vec<String>,
}

/// Accepts `{"tool_calls": […]}` (seed 004, OpenAI), `{"content": [{"type": "tool_use", …}]}`
/// (Anthropic), a bare list of calls, or one `{"name", "arguments"}`.
pub fn parse_request(value: &Value) -> Result<Request, ToolError> {
    let calls = match value {
        Value::Array(items) => items.iter().map(parse_call).collect::<Result<Vec<_>, _>>()?,
        Value::Object(message) => from_message(message)?,
        _ => return Err(malformed("a request is a JSON object or a list of calls")),
    };
    if calls.is_empty() {
        return Err(malformed("the request holds no tool calls"));
    }
    Ok(Request { calls, warnings: unknown_keys(value) })
}

fn from_message(message: &Map<String, Value>) -> Result<Vec<ToolCall>, ToolError> {
    if let Some(calls) = message.get("tool_calls") {
        let calls = calls.as_array().ok_or_else(|| malformed("'tool_calls' must be a list"))?;
        return calls.iter().map(parse_call).collect();
    }
    if let Some(Value::Array(blocks)) = message.get("content") {
        let uses = blocks.iter().filter(|block| is_use(block));
        return uses.map(parse_call).collect();
    }
    if message.contains_key("name") || message.contains_key("function") {
        return Ok(vec![parse_call(&Value::Object(message.clone()))?]);
    }
    Err(malformed("the request has neither 'tool_calls' nor 'name'"))
}

/// `{"id", "function": {"name", "arguments"}}`, `{"id", "name", "arguments"}` or `{"id", "name", "input"}`.
fn parse_call(value: &Value) -> Result<ToolCall, ToolError> {
    let call = value.as_object().ok_or_else(|| malformed("a tool call must be an object"))?;
    let function = match call.get("function") {
        Some(Value::Object(function)) => function,
        Some(_) => return Err(malformed("'function' must be an object")),
        None => call,
    };
    let name = match function.get("name") {
        Some(Value::String(name)) => name.clone(),
        _ => return Err(malformed("a tool call needs 'name', a text")),
    };
    let arguments = function.get("arguments").or_else(|| function.get("input"));
    let id = match call.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => String::new(),
    };
    Ok(ToolCall { id, name, arguments: arguments.cloned().unwrap_or(Value::Null) })
}

fn malformed(text: &str) -> ToolError {
    ToolError::invalid(text).with_hint(
        r#"Send {"tool_calls":[{"id":"call_1","type":"function","function":{"name":"…","arguments":{…}}}]}."#,
    )
}
