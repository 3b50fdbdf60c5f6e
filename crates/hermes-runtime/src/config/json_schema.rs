//! The JSON Schema of the configuration, for editors, docs and the checks of this module.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::model::Config;

/// The schema of `config.yaml` as draft-07, self-contained, with descriptions, ranges and defaults.
pub fn schema() -> Value {
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<Config>().to_value();
    tidy(&mut schema);
    schema
}

/// Drops what schemars adds and nobody reads: Rust type names as titles, Rust integer types as formats.
fn tidy(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if map.get("title").is_some_and(Value::is_string) {
                map.shift_remove("title");
            }
            if map.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("uint")) {
                map.shift_remove("format");
            }
            map.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// Gives the values of a map a range; the attributes of schemars reach list items only.
pub(super) fn value_range<const MIN: u64, const MAX: u64>(schema: &mut Schema) {
    add(schema, "additionalProperties", &[("minimum", json!(MIN)), ("maximum", json!(MAX))]);
}

/// Marks the items of a list as permission patterns.
pub(super) fn permission_items(schema: &mut Schema) {
    add(schema, "items", &[("format", json!("permission-pattern"))]);
}

/// Marks the items of a list as folders.
pub(super) fn root_items(schema: &mut Schema) {
    add(schema, "items", &[("format", json!("folder"))]);
}

fn add(schema: &mut Schema, below: &str, keywords: &[(&str, Value)]) {
    if let Some(inner) = schema.get_mut(below).and_then(Value::as_object_mut) {
        inner.extend(keywords.iter().map(|(keyword, value)| ((*keyword).to_owned(), value.clone())));
    }
}
