//! All the calls of one message. Providers and the programs between write calls in several places, some of them the
//! same call in two: what stands anywhere is answered, and what stands twice runs once.

use hermes_core::arguments::parse;
use hermes_core::redact::Redactor;
use hermes_core::{ToolCall, ToolError};
use serde_json::{Map, Value};

use super::asked::Asked;
use super::keys::is_use;
use super::request::{malformed, parse_call};

/// The calls of `tool_calls`, then the blocks of `content` and the old `function_call` that are not among them.
/// Nothing where the message has none of these places.
pub(super) fn calls_of(message: &Map<String, Value>) -> Result<Option<Vec<Asked>>, ToolError> {
    let given = |key: &str| message.get(key).filter(|value| !value.is_null());
    let listed = match given("tool_calls") {
        Some(Value::Array(calls)) => Some(calls),
        Some(_) => return Err(malformed("'tool_calls' must be a list")),
        None => None,
    };
    let blocks = given("content").and_then(Value::as_array);
    let old = given("function_call");
    if listed.is_none() && blocks.is_none() && old.is_none() {
        return Ok(None);
    }
    let mut calls: Vec<Asked> = listed.into_iter().flatten().map(parse_call).collect();
    let written = calls.len();
    for block in blocks.into_iter().flatten().filter(|block| is_use(block)).map(parse_call) {
        match calls.iter_mut().take(written).find(|known| is_same_id(&known.call, &block.call)) {
            Some(known) => hold_against(known, &block),
            None => calls.push(block),
        }
    }
    // It has no id to be known by.
    if let Some(old) = old.map(parse_call)
        && !calls.iter().any(|known| asks_the_same(known, &old))
    {
        calls.push(old);
    }
    Ok(Some(calls))
}

fn is_same_id(one: &ToolCall, other: &ToolCall) -> bool {
    !one.id.is_empty() && one.id == other.id
}

/// Which of two calls under one id is meant nobody can say, and to run both may do what was asked once twice.
fn hold_against(known: &mut Asked, block: &Asked) {
    if !asks_the_same(known, block) {
        let text = format!(
            "the call '{}' stands in 'tool_calls' and as a 'tool_use' block in 'content', and the two differ; \
             neither was run",
            known.call.id
        );
        known.refusal = Some(ToolError::invalid(text).with_hint("Send it once, or give each its own id."));
    }
}

fn asks_the_same(one: &Asked, other: &Asked) -> bool {
    one.call.name == other.call.name
        && one.refusal.is_none() == other.refusal.is_none()
        && (one.call.arguments == other.call.arguments
            || read(one).is_some_and(|read_one| Some(read_one) == read(other)))
}

/// The arguments, which one of the two has as text.
fn read(asked: &Asked) -> Option<Map<String, Value>> {
    parse(&asked.call.arguments, &Redactor::none()).ok().map(|parsed| parsed.arguments)
}
