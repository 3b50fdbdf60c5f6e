//! `parameters`: what a tool may be called with.

use std::collections::BTreeSet;

use hermes_core::yaml::{Key, Kind, Mark, Node, Reader, quote};
use serde_json::{Map, Value, json};

use super::spec::{Parameter, Position};
use super::template::is_name;

pub(super) const KEYS: &[&str] = &[
    "name",
    "type",
    "required",
    "description",
    "enum",
    "default",
    "minimum",
    "maximum",
    "min_length",
    "max_length",
    "pattern",
    "items",
    "properties",
    "in",
    "as",
    "leading_dash",
];

const TYPES: &[&str] = &["string", "integer", "number", "boolean", "array", "object"];
const POSITIONS: &[&str] = &["auto", "path", "query", "header", "body"];
const MAX_PARAMETERS: usize = 200;

/// All parameters of a tool.
pub(super) fn parameters(reader: &mut Reader, node: &Node) -> Vec<Parameter> {
    let mut all: Vec<Parameter> = Vec::new();
    for item in reader.list(node, "parameters").unwrap_or_default() {
        let Some(parameter) = parameter(reader, item) else { continue };
        if all.iter().any(|known| known.name == parameter.name) {
            reader.error(item.at, format!("the parameter {} is written twice", parameter.name), None);
        }
        if all.len() == MAX_PARAMETERS {
            reader.error(item.at, format!("more than {MAX_PARAMETERS} parameters"), None);
            break;
        }
        all.push(parameter);
    }
    all
}

fn parameter(reader: &mut Reader, node: &Node) -> Option<Parameter> {
    let entries = reader.table(node, "a parameter", KEYS);
    let find = |name: &str| entries.iter().find(|(key, _)| key.name == name).map(|(_, value)| *value);
    let Some(name_node) = find("name") else {
        reader.error(node.at, "a parameter needs a name", Some("write name: …".to_owned()));
        return None;
    };
    let name = reader.text(name_node, "name")?.value;
    if !is_name(&name) {
        let hint = "use letters, digits and _, no digit first, at most 64".to_owned();
        reader.error(name_node.at, format!("{} is no name for a parameter", quote(&name)), Some(hint));
        return None;
    }
    let kind = match find("type") {
        Some(node) => one_of(reader, node, "type", TYPES)?,
        None => "string".to_owned(),
    };
    let mut schema = Map::new();
    schema.insert("type".into(), kind.clone().into());
    let mut parameter = Parameter {
        wire_name: name.clone(),
        name,
        schema: Value::Null,
        required: false,
        default: None,
        place: None,
        leading_dash: false,
        at: node.at,
    };
    for (key, value) in &entries {
        field(reader, &mut parameter, &mut schema, &kind, key, value);
    }
    if let Some(default) = &parameter.default {
        schema.insert("default".into(), default.clone());
    }
    if parameter.required && parameter.default.is_some() {
        let hint = "remove required: true, or the default".to_owned();
        let message = format!("{} is required and has a default", parameter.name);
        reader.error(name_node.at, message, Some(hint));
    }
    for (least, most, key) in [("minimum", "maximum", "maximum"), ("minLength", "maxLength", "max_length")] {
        let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
        if let (Some(least), Some(most), Some(node)) = (bound(least), bound(most), find(key))
            && least > most
        {
            let message = format!("no value of {} is at least {least} and at most {most}", parameter.name);
            reader.error(node.at, message, None);
        }
    }
    let listed = schema.get("enum").and_then(Value::as_array);
    if let (Some(listed), Some(default)) = (listed, &parameter.default)
        && !listed.contains(default)
    {
        let message = format!("the default of {} is not one of its enum", parameter.name);
        reader.error(find("default").map_or(node.at, |node| node.at), message, None);
    }
    parameter.schema = Value::Object(schema);
    Some(parameter)
}

fn field(
    reader: &mut Reader,
    parameter: &mut Parameter,
    schema: &mut Map<String, Value>,
    kind: &str,
    key: &Key,
    node: &Node,
) {
    let what = key.name.as_str();
    match what {
        "required" => parameter.required = reader.switch(node, what),
        "leading_dash" => parameter.leading_dash = reader.switch(node, what),
        "description" => {
            if let Some(text) = reader.text(node, what) {
                schema.insert("description".into(), text.value.into());
            }
        }
        "default" => {
            let value = typed(node, kind);
            if !fits(&value, kind) {
                reader.error(
                    node.at,
                    format!("the default must be of type {kind}, not {}", node.written()),
                    None,
                );
            }
            parameter.default = Some(value);
        }
        "enum" => {
            let values: Vec<Value> =
                reader.list(node, what).unwrap_or_default().iter().map(|item| typed(item, kind)).collect();
            if values.is_empty() || values.iter().any(|value| !fits(value, kind)) {
                reader.error(node.at, format!("enum must list values of type {kind}"), None);
            }
            schema.insert("enum".into(), values.into());
        }
        "minimum" | "maximum" => match node.to_value() {
            Value::Number(number) if matches!(kind, "integer" | "number") => {
                schema.insert(what.to_owned(), Value::Number(number));
            }
            _ => reader.error(node.at, format!("{what} must be a number, on a parameter that is one"), None),
        },
        "min_length" | "max_length" => {
            if let Some(number) = reader.whole(node, what, 0, 10_000_000) {
                let word = if what == "min_length" { "minLength" } else { "maxLength" };
                schema.insert(word.to_owned(), number.value.into());
            }
        }
        "pattern" => {
            if let Some(text) = reader.text(node, what) {
                schema.insert("pattern".into(), text.value.into());
            }
        }
        "items" | "properties" => {
            let value = node.to_value();
            let wanted = if what == "items" { "array" } else { "object" };
            if !value.is_object() || kind != wanted {
                reader.error(
                    node.at,
                    format!("{what} must be a table, on a parameter of type {wanted}"),
                    None,
                );
            } else {
                schema.insert(what.to_owned(), value);
            }
        }
        "in" => {
            parameter.place = match one_of(reader, node, what, POSITIONS).as_deref() {
                Some("path") => Some(Position::Path),
                Some("query") => Some(Position::Query),
                Some("header") => Some(Position::Header),
                Some("body") => Some(Position::Body),
                _ => None,
            };
        }
        "as" => {
            if let Some(text) = reader.text(node, what) {
                parameter.wire_name = text.value;
            }
        }
        _ => {}
    }
}

/// A place for an argument that there is not is a mistake, and stands where the place does.
pub(super) fn refuse_unknown<'a>(
    reader: &mut Reader,
    tool: &Node,
    spoken: impl Iterator<Item = &'a str>,
    parameters: &[Parameter],
) {
    let spoken: BTreeSet<&str> = spoken.collect();
    let spoken = spoken.into_iter();
    for name in spoken.filter(|name| !parameters.iter().any(|parameter| parameter.name == **name)) {
        let known = parameters.iter().map(|parameter| parameter.name.as_str());
        let near = hermes_core::names::nearest(name, known, 1);
        let hint = near.first().map(|near| format!("did you mean {near}?"));
        let at = speaking_of(tool, name).unwrap_or(tool.at);
        reader.error(at, format!("{{{name}}} is not one of the parameters"), hint);
    }
}

/// Where a tool speaks of a parameter.
fn speaking_of(tool: &Node, name: &str) -> Option<Mark> {
    const TEMPLATES: &[&str] = &["endpoint", "headers", "query", "body", "command", "stdin", "env"];
    let Kind::Map(entries) = &tool.kind else { return None };
    let within = entries.iter().filter(|(key, _)| TEMPLATES.contains(&key.name.as_str()));
    let place = format!("{{{name}}}");
    within.into_iter().find_map(|(_, node)| first_with(node, &place))
}

fn first_with(node: &Node, text: &str) -> Option<Mark> {
    match &node.kind {
        Kind::Scalar { text: written, .. } => written.contains(text).then_some(node.at),
        Kind::List(items) => items.iter().find_map(|item| first_with(item, text)),
        Kind::Map(entries) => entries.iter().find_map(|(_, node)| first_with(node, text)),
        Kind::Broken => None,
    }
}

/// Text that is one of a few words; otherwise a problem with the nearest.
pub(crate) fn one_of(reader: &mut Reader, node: &Node, what: &str, words: &[&str]) -> Option<String> {
    let text = reader.text(node, what)?;
    if words.contains(&text.value.as_str()) {
        return Some(text.value);
    }
    let hint = match hermes_core::names::nearest(&text.value, words.iter().copied(), 1).first() {
        Some(near) => format!("did you mean {near}? known: {}", words.join(", ")),
        None => format!("known: {}", words.join(", ")),
    };
    reader.error(node.at, format!("unknown {what} {}", quote(&text.value)), Some(hint));
    None
}

/// The value as the parameter means it: `enum: [yes, no]` of a string are the words.
fn typed(node: &Node, kind: &str) -> Value {
    match &node.kind {
        Kind::Scalar { text, .. } if kind == "string" => json!(text),
        _ => node.to_value(),
    }
}

fn fits(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        _ => value.is_object(),
    }
}
