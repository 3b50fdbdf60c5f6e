//! Where a call has its arguments. What somebody meant as arguments is never left out: it is found, or the call
//! is refused.

use hermes_core::{ToolError, names};
use serde_json::{Map, Value};

use super::keys::{SPELLINGS, is_known, quoted};
use super::request::malformed;

pub(super) struct Found {
    pub(super) arguments: Value,
    /// What to tell whoever wrote them under another key.
    pub(super) note: Option<String>,
}

/// Looks in the part that has the name, then in the call around it.
pub(super) fn find_arguments(
    call: &Map<String, Value>,
    function: &Map<String, Value>,
) -> Result<Found, ToolError> {
    let places = if std::ptr::eq(call, function) { vec![call] } else { vec![function, call] };
    let given = |place: &&Map<String, Value>, key: &&'static str| {
        place.get(*key).filter(|value| !value.is_null()).map(|value| (*key, value.clone()))
    };
    let mut found = places.iter().flat_map(|place| SPELLINGS.iter().filter_map(move |key| given(place, key)));
    if let Some((key, arguments)) = found.next() {
        if let Some((other, _)) = found.find(|(_, other)| *other != arguments) {
            let text = format!("the arguments are given twice, as '{key}' and as '{other}', and differ");
            return Err(malformed(&text));
        }
        return Ok(Found { arguments, note: note(key, call) });
    }
    match places.iter().find_map(|place| place.iter().find(|(key, value)| is_lost(key, value))) {
        Some((key, _)) => Err(unknown(key)),
        None => Ok(Found { arguments: Value::Null, note: None }),
    }
}

/// `input` is how Anthropic's blocks have it.
fn note(key: &str, call: &Map<String, Value>) -> Option<String> {
    let usual =
        key == "arguments" || (key == "input" && call.get("type").is_some_and(|kind| kind == "tool_use"));
    (!usual).then(|| format!("'{key}' was read as 'arguments'"))
}

/// Whether arguments may stand under this key that means nothing.
fn is_lost(key: &str, value: &Value) -> bool {
    let some = match value {
        Value::Object(fields) => !fields.is_empty(),
        Value::String(text) => {
            matches!(serde_json::from_str(text), Ok(Value::Object(fields)) if !fields.is_empty())
        }
        _ => false,
    };
    some && !is_known(key)
}

fn unknown(key: &str) -> ToolError {
    let meant = names::nearest(key, SPELLINGS.iter().copied(), 1).first().copied().unwrap_or("arguments");
    malformed(&format!(
        "the call has no 'arguments', but an object under {}, which means nothing; did you mean '{meant}'?",
        quoted(key)
    ))
}
