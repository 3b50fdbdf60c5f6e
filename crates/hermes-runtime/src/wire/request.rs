//! Reads a request: seed 004's object, an assistant message, or one bare call.

use hermes_core::arguments::parse_json_apart;
use hermes_core::{ToolCall, ToolError};
use serde_json::{Map, Value};

use super::arguments::find_arguments;
use super::asked::Asked;
use super::keys::{SPELLINGS, unknown_keys};
use super::message::calls_of;

/// Calls to run, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub calls: Vec<Asked>,
    /// What was in the request and means nothing.
    pub warnings: Vec<String>,
}

/// The JSON of a request, and what there is to say of the arguments in it. Those that name a key twice or nest too deep are
/// the matter of their own call.
pub fn read_json(text: &str) -> Result<(Value, Option<&'static str>), ToolError> {
    parse_json_apart(text, SPELLINGS)
}

/// Accepts `{"tool_calls": […]}` (seed 004, OpenAI), `{"content": [{"type": "tool_use", …}]}`
/// (Anthropic), both at once, a bare list of calls, or one `{"name", "arguments"}`. A call that cannot be read is refused by
/// itself; where it is the only one there is nothing to answer beside it, so the request is.
pub fn parse_request(value: &Value) -> Result<Request, ToolError> {
    let calls = match value {
        Value::Array(items) => items.iter().map(parse_call).collect(),
        Value::Object(message) => from_message(message)?,
        _ => return Err(malformed("a request is a JSON object or a list of calls")),
    };
    match calls.as_slice() {
        [] => Err(malformed("the request holds no tool calls")),
        [Asked { call, refusal: Some(error), .. }] if call.name.is_empty() => Err(error.clone()),
        _ => Ok(Request { calls, warnings: unknown_keys(value) }),
    }
}

fn from_message(message: &Map<String, Value>) -> Result<Vec<Asked>, ToolError> {
    if let Some(calls) = calls_of(message)? {
        return Ok(calls);
    }
    if message.contains_key("name") || message.contains_key("function") {
        return Ok(vec![parse_call(&Value::Object(message.clone()))]);
    }
    Err(malformed("the request has neither 'tool_calls' nor 'name'"))
}

/// `{"id", "function": {"name", "arguments"}}`, `{"id", "name", "arguments"}` or `{"id", "name", "input"}`.
pub(super) fn parse_call(value: &Value) -> Asked {
    let id = match value.get("id") {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => String::new(),
    };
    let (call, function) = match parts(value) {
        Ok(parts) => parts,
        Err(error) => return refused(id, String::new(), error),
    };
    let name = match function.get("name") {
        Some(Value::String(name)) if !name.is_empty() => name.clone(),
        _ => return refused(id, String::new(), malformed("a tool call needs 'name', a text")),
    };
    match find_arguments(call, function) {
        Ok(found) => Asked {
            call: ToolCall { id, name, arguments: found.arguments },
            notes: found.note.into_iter().collect(),
            refusal: None,
        },
        Err(error) => refused(id, name, error),
    }
}

type Fields = Map<String, Value>;

/// The call, and the part of it that holds name and arguments.
fn parts(value: &Value) -> Result<(&Fields, &Fields), ToolError> {
    let call = value.as_object().ok_or_else(|| malformed("a tool call must be an object"))?;
    match call.get("function") {
        Some(Value::Object(function)) => Ok((call, function)),
        Some(_) => Err(malformed("'function' must be an object")),
        None => Ok((call, call)),
    }
}

fn refused(id: String, name: String, error: ToolError) -> Asked {
    let call = ToolCall { id, name, arguments: Value::Null };
    Asked { call, notes: Vec::new(), refusal: Some(error) }
}

pub(super) fn malformed(text: &str) -> ToolError {
    ToolError::invalid(text).with_hint(
        r#"Send {"tool_calls":[{"id":"call_1","type":"function","function":{"name":"…","arguments":{…}}}]}."#,
    )
}
