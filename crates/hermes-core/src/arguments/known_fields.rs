//! The fields that a schema knows at a place in the arguments.

use serde_json::Value;

use super::children::{named_schemas, positional_schema};
use crate::schema::refs;

/// Alternatives beyond this many are not looked at.
const MAX_SCHEMAS: usize = 64;

/// The names of the fields at a JSON pointer, in order, if the schema allows no others there.
pub(super) fn known_fields<'a>(schema: &'a Value, pointer: &str) -> Option<Vec<&'a str>> {
    let mut here = expanded(schema, vec![schema]);
    for segment in pointer.split('/').skip(1) {
        let name = segment.replace("~1", "/").replace("~0", "~");
        let children = here.iter().filter_map(|schema| schema.as_object()).flat_map(|rules| {
            let item = name.parse().ok().and_then(|index| positional_schema(rules, index));
            named_schemas(rules, &name).into_iter().flatten().chain(item)
        });
        here = expanded(schema, children.collect());
    }
    let is_closed = |schema: &&Value| {
        ["additionalProperties", "unevaluatedProperties"]
            .iter()
            .any(|keyword| schema.get(keyword) == Some(&Value::Bool(false)))
    };
    if !here.iter().any(is_closed) {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for properties in here.iter().filter_map(|schema| schema.get("properties")?.as_object()) {
        for name in properties.keys() {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    Some(names)
}

/// The schemas and everything that they refer to, combine or choose from.
fn expanded<'a>(root: &'a Value, mut schemas: Vec<&'a Value>) -> Vec<&'a Value> {
    let mut next = 0;
    while let Some(schema) = schemas.get(next).copied() {
        next += 1;
        if schemas.len() >= MAX_SCHEMAS {
            break;
        }
        schemas.extend(schema.get("$ref").and_then(Value::as_str).and_then(|r| refs::resolve(root, r)));
        for keyword in ["allOf", "anyOf", "oneOf"] {
            schemas.extend(schema.get(keyword).and_then(Value::as_array).into_iter().flatten());
        }
    }
    schemas
}
