//! Values of others, whole: every text and every key in them.

use hermes_core::text::visible;
use serde_json::Value;

use super::scan::scan;

/// The value with nothing hidden in any of its texts and keys.
pub(crate) fn visible_texts(value: Value) -> Value {
    match value {
        Value::String(text) => visible(&text).into(),
        Value::Array(items) => items.into_iter().map(visible_texts).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(name, field)| (visible(&name), visible_texts(field))).collect()
        }
        other => other,
    }
}

/// The longest text that explains something: beyond this nobody reads on, and what comes then is not meant to be read.
pub(crate) const LONGEST: usize = 4_000;

/// A text of at most that length.
pub(crate) fn capped(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text,
    }
}

/// A definition whose explanations are at most that long. What is part of its meaning, such as a default, stays whole.
pub(crate) fn capped_texts(definition: Value) -> Value {
    match definition {
        Value::Array(items) => items.into_iter().map(capped_texts).collect(),
        Value::Object(fields) => {
            let capped = |(name, field): (String, Value)| match (name.as_str(), field) {
                ("title" | "description" | "$comment", Value::String(text)) => (name, capped(text).into()),
                // Names in here are the server's, and mean nothing.
                ("properties" | "$defs" | "definitions", Value::Object(inside)) => {
                    (name, inside.into_iter().map(|(name, field)| (name, capped_texts(field))).collect())
                }
                ("default" | "const" | "enum" | "examples" | "example", field) => (name, field),
                (_, field) => (name, capped_texts(field)),
            };
            fields.into_iter().map(capped).collect()
        }
        other => other,
    }
}

/// What is hidden in a value or instructs its reader. For whoever reads it: no text in it has any say in what may be
/// done.
pub(crate) fn flags(value: &Value) -> Vec<String> {
    let mut texts = Vec::new();
    collect(value, &mut texts);
    let mut flags: Vec<String> =
        scan("result", &texts.join("\n")).into_iter().map(|finding| finding.what).collect();
    flags.dedup();
    flags
}

/// A definition that a client lists, with nothing hidden in it. What instructs its reader is named in front of its
/// description, where whoever reads that cannot miss it.
pub(crate) fn listed(definition: &Value) -> Value {
    let flags = flags(definition);
    let mut definition = capped_texts(visible_texts(definition.clone()));
    if let (false, Value::Object(fields)) = (flags.is_empty(), &mut definition) {
        let said = fields.get("description").and_then(Value::as_str).unwrap_or_default();
        let marked = format!("[flagged: {}] {said}", flags.join("; "));
        fields.insert("description".to_owned(), marked.trim_end().into());
    }
    definition
}

fn collect<'a>(value: &'a Value, into: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(fields) => {
            for (name, field) in fields {
                into.push(name);
                collect(field, into);
            }
        }
        _ => {}
    }
}
