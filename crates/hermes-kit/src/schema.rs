//! The one place where a schema is made from Rust types.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The parameters object of a tool: draft 7, sub-schemas inlined, no Rust type names.
pub fn parameters_of<Args: JsonSchema>() -> Value {
    let mut parameters = generate::<Args>();
    if let Some(object) = parameters.as_object_mut() {
        object.remove("description");
        object.entry("properties").or_insert_with(|| Value::Object(serde_json::Map::new()));
    }
    parameters
}

/// What the model reads about a tool: the doc comment of its arguments type.
pub fn description_of<Args: JsonSchema>() -> String {
    generate::<Args>().get("description").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn generate<Args: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft07();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let settings = settings.with_transform(DropRustTraces);
    settings.into_generator().into_root_schema_for::<Args>().to_value()
}

/// Removes what only means something to Rust: type names as titles, integer widths as formats, and
/// `null` as a type of optional fields (leaving a field out says the same in fewer tokens).
#[derive(Clone)]
struct DropRustTraces;

impl Transform for DropRustTraces {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(object) = schema.as_object_mut() else { return };
        object.remove("title");
        if object.get("format").and_then(Value::as_str).is_some_and(is_rust_format) {
            object.remove("format");
        }
        if object.get("default").is_some_and(Value::is_null) {
            object.remove("default");
        }
        drop_null_type(object);
        drop_null_branch(object);
        if let Some(text) = object.get("description").and_then(Value::as_str) {
            let one_line = text.split('\n').map(str::trim).collect::<Vec<_>>().join(" ");
            object.insert("description".into(), one_line.into());
        }
    }
}

fn is_rust_format(format: &str) -> bool {
    matches!(
        format,
        "int8"
            | "int16"
            | "int32"
            | "int64"
            | "int"
            | "uint8"
            | "uint16"
            | "uint32"
            | "uint64"
            | "uint"
            | "float"
            | "double"
    )
}

fn drop_null_type(object: &mut serde_json::Map<String, Value>) {
    let Some(Value::Array(types)) = object.get_mut("type") else { return };
    types.retain(|kind| kind != "null");
    if let [only] = types.as_slice() {
        let only = only.clone();
        object.insert("type".into(), only);
    }
    if let Some(Value::Array(members)) = object.get_mut("enum") {
        members.retain(|member| !member.is_null());
    }
}

fn drop_null_branch(object: &mut serde_json::Map<String, Value>) {
    let Some(Value::Array(branches)) = object.get_mut("anyOf") else { return };
    branches.retain(|branch| branch.get("type").is_none_or(|kind| kind != "null"));
    if branches.len() != 1 {
        return;
    }
    let Some(Value::Object(only)) = branches.pop() else { return };
    object.remove("anyOf");
    for (key, value) in only {
        object.entry(key).or_insert(value);
    }
}
