//! Keeps results within what a model should read. The whole value is stored before it is cut, and
//! what the model gets says how to reach it.

use hermes_core::handle::{SCHEME, as_text};
use hermes_core::text::{head_tail, json_len};
use serde_json::{Map, Value, json};

/// How much of a stored text the model is shown: enough to see what it is, cheap enough to ignore.
const PREVIEW_CHARS: usize = 4_000;
/// Fields longer than this are cut by themselves, so that the small fields beside them stay readable.
const LONG_FIELD: usize = 2_000;
/// The longest argument text the journal keeps.
const JOURNAL_FIELD: usize = 2_000;

/// What the model sees of `value`, which is stored under `id` if it could be: at most about `limit` characters.
///
/// Long texts inside an object are cut in place and carry their own handle; where that is not enough
/// the whole value is shown as the head and tail of its JSON text.
pub(super) fn bound(value: &Value, limit: usize, id: Option<&str>) -> Value {
    if let Value::Object(fields) = value {
        let preview = PREVIEW_CHARS.min(limit / 4);
        let mut cut = fields.clone();
        for (name, field) in &mut cut {
            cut_long_texts(field, &pointer("", name), id, preview);
        }
        let cut = Value::Object(cut);
        if json_len(&cut) <= limit {
            return cut;
        }
    }
    whole(value, limit, id)
}

fn cut_long_texts(value: &mut Value, at: &str, id: Option<&str>, preview: usize) {
    match value {
        Value::String(text) if text.chars().nth(LONG_FIELD.max(preview)).is_some() => {
            *value = Value::Object(excerpt(text, preview, id.map(|id| format!("{SCHEME}{id}#{at}"))));
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                cut_long_texts(field, &pointer(at, name), id, preview);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                cut_long_texts(item, &pointer(at, &index.to_string()), id, preview);
            }
        }
        _ => {}
    }
}

fn whole(value: &Value, limit: usize, id: Option<&str>) -> Value {
    let handle = id.map(|id| format!("{SCHEME}{id}"));
    let mut shown = excerpt(&as_text(value), PREVIEW_CHARS.min(limit / 4), handle);
    if let Some(shape) = shape(value) {
        shown.insert("shape".to_owned(), shape);
    }
    Value::Object(shown)
}

fn excerpt(text: &str, preview: usize, handle: Option<String>) -> Map<String, Value> {
    let (head, tail) = head_tail(text, preview).unwrap_or((text, ""));
    let mut fields = json!({
        "truncated": true,
        "handle": handle,
        "chars": text.chars().count(),
        "lines": text.lines().count(),
        "head": head,
        "tail": tail,
    });
    if let (Value::Object(fields), None) = (&mut fields, handle) {
        fields.shift_remove("handle");
    }
    match fields {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// One level of what a value is made of, so that a pointer can be chosen without reading it.
fn shape(value: &Value) -> Option<Value> {
    let kind = |value: &Value| match value {
        Value::Object(fields) => format!("object of {} fields", fields.len()),
        Value::Array(items) => format!("array of {}", items.len()),
        Value::String(text) => format!("text of {} chars", text.chars().count()),
        Value::Number(_) => "number".to_owned(),
        Value::Bool(_) => "boolean".to_owned(),
        Value::Null => "null".to_owned(),
    };
    match value {
        Value::Object(fields) => {
            let shown = fields.iter().take(30).map(|(name, field)| (name.clone(), kind(field).into()));
            Some(Value::Object(shown.collect()))
        }
        Value::Array(_) => Some(kind(value).into()),
        _ => None,
    }
}

/// A copy of arguments with long texts cut short; the digest beside it vouches for the rest.
pub(super) fn bound_for_journal(value: &Value) -> Value {
    match value {
        Value::String(text) if text.chars().nth(JOURNAL_FIELD).is_some() => {
            let (head, tail) = head_tail(text, JOURNAL_FIELD).unwrap_or((text, ""));
            Value::String(format!("{head} …({} chars)… {tail}", text.chars().count()))
        }
        Value::Array(items) => items.iter().map(bound_for_journal).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), bound_for_journal(field))).collect()
        }
        other => other.clone(),
    }
}

fn pointer(parent: &str, name: &str) -> String {
    format!("{parent}/{}", name.replace('~', "~0").replace('/', "~1"))
}
