//! Keys of a request that mean nothing: somebody expects them to do something, so they are told of.

use hermes_core::names;
use serde_json::{Map, Value};

/// Of the request itself: the seed's object, its line form, and what providers' messages have beside calls.
const REQUEST: &[&str] = &[
    "tool_calls",
    "id",
    "op",
    "session",
    "role",
    "content",
    "type",
    "model",
    "refusal",
    "annotations",
    "audio",
    "function_call",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "stop_reason",
    "stop_sequence",
    "usage",
    "container",
    "context_management",
];
/// Of one call.
const CALL: &[&str] =
    &["id", "type", "function", "name", "index", "extra_content", "cache_control", "caller"];
/// Of the function within a call.
const FUNCTION: &[&str] = &["name"];
/// How the arguments are called, the right word first.
pub(crate) const SPELLINGS: &[&str] = &["arguments", "input", "args", "parameters"];
/// More of them help nobody.
const MAX_TOLD: usize = 10;
const MAX_KEY_CHARS: usize = 80;

/// One line for each key that is not known where it stands.
pub(super) fn unknown_keys(request: &Value) -> Vec<String> {
    let mut told = Vec::new();
    match request {
        Value::Array(calls) => calls.iter().for_each(|call| of_call(call, &mut told)),
        Value::Object(message) => of_message(message, &mut told),
        _ => {}
    }
    told.truncate(MAX_TOLD);
    told
}

fn of_message(message: &Map<String, Value>, told: &mut Vec<String>) {
    let list = |key: &str| message.get(key).and_then(Value::as_array);
    let (calls, blocks) = (list("tool_calls"), list("content"));
    if calls.is_some() || blocks.is_some() {
        tell(message, REQUEST, "the request", told);
        let uses = blocks.into_iter().flatten().filter(|block| is_use(block));
        calls.into_iter().flatten().chain(uses).for_each(|call| of_call(call, told));
    } else {
        let known: Vec<&str> = REQUEST.iter().chain(CALL).copied().collect();
        tell(message, &known, "the request", told);
        of_function(message, told);
    }
}

/// Whether a key means something in a request or a call.
pub(super) fn is_known(key: &str) -> bool {
    [REQUEST, CALL, FUNCTION, SPELLINGS].iter().any(|known| known.contains(&key))
}

/// A key as it is told. A long one is not cut, since half a secret would not be known for one.
pub(super) fn quoted(key: &str) -> String {
    match key.chars().count() {
        long if long > MAX_KEY_CHARS => format!("a key of {long} characters"),
        _ => format!("'{key}'"),
    }
}

/// Whether a block of a message's content is a call.
pub(super) fn is_use(block: &Value) -> bool {
    block.get("type").is_some_and(|kind| kind == "tool_use")
}

fn of_call(call: &Value, told: &mut Vec<String>) {
    if let Value::Object(call) = call {
        tell(call, CALL, "a tool call", told);
        of_function(call, told);
    }
}

fn of_function(call: &Map<String, Value>, told: &mut Vec<String>) {
    if let Some(Value::Object(function)) = call.get("function") {
        tell(function, FUNCTION, "'function'", told);
    }
}

fn tell(fields: &Map<String, Value>, known: &[&str], place: &str, told: &mut Vec<String>) {
    let known: Vec<&str> = known.iter().chain(SPELLINGS).copied().collect();
    for key in fields.keys().filter(|key| !known.contains(&key.as_str())) {
        let shown = quoted(key);
        let line = match names::nearest(key, known.iter().copied(), 1).first() {
            Some(meant) => {
                format!("{shown} in {place} means nothing and was ignored; did you mean '{meant}'?")
            }
            None => format!("{shown} in {place} means nothing and was ignored"),
        };
        if !told.contains(&line) {
            told.push(line);
        }
    }
}
