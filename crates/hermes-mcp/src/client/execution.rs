//! How a tool wants to be run. A definition of the SDK has no place for it, so it travels through the SDK in one that is
//! kept.

use std::borrow::Cow;

use memchr::memmem;
use serde_json::{Map, Value};

const FIELD: &str = "execution";
/// Where it stands meanwhile, among what a definition says about itself.
const KEPT_AS: &str = "hermes/execution";

/// A message with the field of each definition in it where the SDK does not drop it. Few messages have any.
pub(super) fn kept(message: &[u8]) -> Cow<'_, [u8]> {
    let moved = memmem::find(message, FIELD.as_bytes()).and_then(|_| {
        let mut value: Value = serde_json::from_slice(message).ok()?;
        let tools = value.pointer_mut("/result/tools")?.as_array_mut()?;
        tools.iter_mut().filter_map(Value::as_object_mut).for_each(put_away);
        serde_json::to_vec(&value).ok()
    });
    moved.map_or(Cow::Borrowed(message), Cow::Owned)
}

fn put_away(tool: &mut Map<String, Value>) {
    let Some(execution) = tool.remove(FIELD) else { return };
    if let Value::Object(meta) = tool.entry("_meta").or_insert_with(|| Value::Object(Map::new())) {
        meta.insert(KEPT_AS.to_owned(), execution);
    }
}

/// A definition with the field back in its place.
pub(super) fn restored(mut definition: Value) -> Value {
    let execution = definition.pointer_mut("/_meta").and_then(|meta| meta.as_object_mut()?.remove(KEPT_AS));
    if let (Some(execution), Value::Object(fields)) = (execution, &mut definition) {
        fields.insert(FIELD.to_owned(), execution);
    }
    definition
}

#[cfg(test)]
mod tests {
    use rmcp::model::Tool;
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_definition_says_of_its_execution_passes_through_the_sdk() {
        let execution = json!({"taskSupport": "required"});
        for more in [json!({}), json!({"_meta": {"a": 1}})] {
            let mut tool = json!({"name": "t", "inputSchema": {"type": "object"}, "execution": execution});
            tool.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let message = json!({"id": 1, "result": {"tools": [tool, 7]}}).to_string();
            let passed: Value = serde_json::from_slice(&kept(message.as_bytes())).unwrap();
            let sdk: Tool = serde_json::from_value(passed["result"]["tools"][0].clone()).unwrap();
            let restored = restored(serde_json::to_value(sdk).unwrap());
            assert_eq!(restored["execution"], execution);
        }
    }

    #[test]
    fn other_messages_stay_as_they_are() {
        for text in ["{\"result\":{\"tools\":[]}}", "{\"result\":\"execution\" }", "no message: execution"] {
            assert!(matches!(kept(text.as_bytes()), Cow::Borrowed(_)), "{text}");
        }
    }
}
