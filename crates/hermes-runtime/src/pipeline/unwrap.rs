//! `tool_call(name, arguments)` becomes the real call here, before anything else looks at it.

use hermes_core::arguments::{Parsed, parse};
use hermes_core::redact::Redactor;
use hermes_core::{ToolCall, ToolError};
use serde_json::Value;

use crate::registry::RESERVED;

/// A call's arguments, parsed, with the bridge taken off.
pub(super) struct Unwrapped {
    pub(super) arguments: Value,
    pub(super) notes: Vec<String>,
}

/// The name of the real tool, and its arguments.
pub(super) fn unwrap(call: &ToolCall, redactor: &Redactor) -> Result<(String, Unwrapped), ToolError> {
    let mut name = call.name.clone();
    let unwrapped = unwrap_owned(&mut name, call.arguments.clone(), redactor)?;
    Ok((name, unwrapped))
}

/// The same for a call that nobody else needs any more: nothing is copied. `name` becomes the real one.
pub(super) fn unwrap_owned(
    name: &mut String,
    arguments: Value,
    redactor: &Redactor,
) -> Result<Unwrapped, ToolError> {
    let parsed = parse_owned(arguments, redactor)?;
    if name != "tool_call" {
        return Ok(Unwrapped { arguments: Value::Object(parsed.arguments), notes: parsed.notes });
    }
    let mut outer = parsed.arguments;
    if outer.get("name").is_some()
        && outer.get("calls").and_then(Value::as_array).is_some_and(|all| !all.is_empty())
    {
        return Err(ToolError::invalid("tool_call takes 'name' or 'calls', not both; nothing was called"));
    }
    let real = match outer.remove("name") {
        Some(Value::String(name)) if !name.is_empty() => name,
        _ => return Err(ToolError::invalid("tool_call needs 'name', the tool to call")),
    };
    if RESERVED.contains(&real.as_str()) {
        return Err(ToolError::invalid(format!("tool_call cannot call '{real}'; call it directly")));
    }
    let inner = parse_owned(outer.remove("arguments").unwrap_or(Value::Null), redactor)?;
    let notes = parsed.notes.into_iter().chain(inner.notes).collect();
    *name = real;
    Ok(Unwrapped { arguments: Value::Object(inner.arguments), notes })
}

fn parse_owned(arguments: Value, redactor: &Redactor) -> Result<Parsed, ToolError> {
    match arguments {
        Value::Object(arguments) => Ok(Parsed { arguments, notes: Vec::new() }),
        other => parse(&other, redactor),
    }
}
