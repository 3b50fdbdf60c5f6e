//! `tool_call(name, arguments)` becomes the real call here, before anything else looks at it.

use hermes_core::arguments::{Parsed, parse};
use hermes_core::redact::Redactor;
use hermes_core::{ToolCall, ToolError};
use serde_json::{Map, Value};

use crate::registry::RESERVED;
use crate::wire::SPELLINGS;

/// Fields that a message names, and letters of each.
const MOST_TOLD: usize = 10;
const LONGEST_TOLD: usize = 80;

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
    let (given, note) = arguments_of(outer, redactor)?;
    let inner = parse_owned(given, redactor)?;
    let notes = parsed.notes.into_iter().chain(note).chain(inner.notes).collect();
    *name = real;
    Ok(Unwrapped { arguments: Value::Object(inner.arguments), notes })
}

/// What the real tool is to get, from what is left beside its name. Nothing is left out: a tool whose filters
/// were lost would do more than it was asked to.
fn arguments_of(
    mut outer: Map<String, Value>,
    redactor: &Redactor,
) -> Result<(Value, Option<String>), ToolError> {
    // An empty list of calls beside a name says nothing.
    outer.remove("calls");
    let given = outer.remove("arguments").filter(|given| !given.is_null());
    let fields: Vec<String> =
        outer.keys().map(|key| redactor.shortened(key, LONGEST_TOLD)).take(MOST_TOLD).collect();
    let fields = fields.join(", ");
    match given {
        Some(given) if outer.is_empty() => Ok((given, None)),
        None if outer.is_empty() => Ok((Value::Null, None)),
        Some(_) => Err(ToolError::invalid(format!(
            "tool_call takes 'name' and 'arguments'; move what stands beside them ({fields}) into 'arguments'. \
             Nothing was called"
        ))),
        None => {
            let note = format!("what stood beside 'name' was read as the arguments: {fields}");
            // The arguments themselves, under another word for them.
            let other_word =
                |(key, value): (&String, &Value)| SPELLINGS.contains(&key.as_str()) && value.is_object();
            match outer.len() == 1 && outer.iter().all(other_word) {
                true => {
                    Ok((outer.into_iter().next().map(|(_, value)| value).unwrap_or_default(), Some(note)))
                }
                false => Ok((Value::Object(outer), Some(note))),
            }
        }
    }
}

fn parse_owned(arguments: Value, redactor: &Redactor) -> Result<Parsed, ToolError> {
    match arguments {
        Value::Object(arguments) => Ok(Parsed { arguments, notes: Vec::new() }),
        other => parse(&other, redactor),
    }
}
