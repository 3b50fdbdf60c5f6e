//! What can be read of an answer to a call that is not quite what the protocol says. The call has happened: one part that
//! nobody understands, or one that is left out, must not cost its caller all the others.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What the result of a call can consist of.
const FIELDS: [&str; 4] = ["content", "structuredContent", "isError", "_meta"];

/// The result of a call in this value; none if it is something else.
pub(super) fn call_result(value: Value) -> Option<CallToolResult> {
    let Value::Object(mut fields) = value else { return None };
    let is_known = |name: &String| FIELDS.contains(&name.as_str());
    // One that knows none of them is no result of a call; an empty one says that there is nothing to say.
    if !fields.is_empty() && !fields.keys().any(is_known) || says_more(&fields) {
        return None;
    }
    let content = match fields.remove("content").unwrap_or_default() {
        Value::Null => Vec::new(),
        Value::Array(blocks) => blocks,
        one => vec![one],
    };
    // One of which nothing can be read says nothing.
    if !content.is_empty() && !content.iter().any(is_readable) && !fields.contains_key("structuredContent") {
        return None;
    }
    fields.insert("content".to_owned(), content.into_iter().map(block).collect());
    // What is odd about the rest is not worth the content.
    fields.retain(|name, field| match name.as_str() {
        "isError" => field.is_boolean(),
        "_meta" => field.is_object(),
        _ => true,
    });
    serde_json::from_value(Value::Object(fields)).ok()
}

/// Whether it is a question or a promise in place of a result.
fn says_more(fields: &Map<String, Value>) -> bool {
    let kind = fields.get("resultType").and_then(Value::as_str);
    kind.is_some_and(|kind| kind != "complete") || fields.contains_key("task")
}

/// Whether a part of the content is one, or its plain text.
fn is_readable(block: &Value) -> bool {
    block.is_string() || ContentBlock::deserialize(block).is_ok()
}

/// A part of the content as it is, or words in its place.
fn block(block: Value) -> Value {
    if block.is_object() && is_readable(&block) {
        return block;
    }
    let text = match block {
        Value::String(text) => text,
        Value::Object(fields) => {
            let kind = fields.get("type").and_then(Value::as_str).unwrap_or("no");
            format!("[content of the type '{kind}', which cannot be read]")
        }
        _ => "[content that cannot be read]".to_owned(),
    };
    json!({"type": "text", "text": text})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_that_can_be_read_are_delivered() {
        let odd = json!({"content": [
            {"type": "text", "text": "one"}, {"type": "video", "data": "x"}, "two", 7, {"type": "text"},
        ], "isError": "no", "structuredContent": {"n": 1}});
        let result = call_result(odd).unwrap();
        let texts: Vec<&str> =
            result.content.iter().filter_map(|block| Some(block.as_text()?.text.as_str())).collect();
        assert_eq!(
            texts,
            [
                "one",
                "[content of the type 'video', which cannot be read]",
                "two",
                "[content that cannot be read]",
                "[content of the type 'text', which cannot be read]"
            ]
        );
        assert_eq!((result.is_error, result.structured_content), (None, Some(json!({"n": 1}))));
        for (value, parts) in [
            (json!({}), 0),
            (json!({"content": null}), 0),
            (json!({"content": "text"}), 1),
            (json!({"structuredContent": {}}), 0),
        ] {
            assert_eq!(call_result(value.clone()).map(|result| result.content.len()), Some(parts), "{value}");
        }
    }

    #[test]
    fn what_is_no_result_of_a_call_stays_that() {
        for value in [
            json!(null),
            json!("text"),
            json!([]),
            json!({"tools": []}),
            json!({"content": 7}),
            json!({"content": [{"type": "video"}]}),
            json!({"content": [], "task": {}}),
            json!({"content": [], "resultType": "input_required"}),
        ] {
            assert!(call_result(value.clone()).is_none(), "{value}");
        }
    }
}
