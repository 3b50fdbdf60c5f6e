//! Constructs of older drafts that newer validators refuse, and the reverse.

use serde_json::{Map, Value};

use super::unions::collapse_nullable;

/// `minimum: 5, exclusiveMinimum: true` of draft 4 becomes `exclusiveMinimum: 5`.
pub(super) fn numeric_bounds(rules: &mut Map<String, Value>) {
    for (exclusive, inclusive) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        let Some(Value::Bool(applies)) = rules.get(exclusive) else { continue };
        let bound = if *applies { rules.shift_remove(inclusive) } else { None };
        match bound {
            Some(bound) => rules.insert(exclusive.to_owned(), bound),
            None => rules.shift_remove(exclusive),
        };
    }
}

/// `items: [a, b]` becomes `prefixItems`, and `dependencies` what it was split into.
pub(super) fn to_2020(rules: &mut Map<String, Value>) {
    if let Some(Value::Array(_)) = rules.get("items") {
        if let Some(tuple) = rules.shift_remove("items") {
            rules.insert("prefixItems".to_owned(), tuple);
        }
        if let Some(rest) = rules.shift_remove("additionalItems") {
            rules.insert("items".to_owned(), rest);
        }
    }
    if let Some(Value::Object(dependencies)) = rules.shift_remove("dependencies") {
        for (name, needed) in dependencies {
            let keyword = if needed.is_array() { "dependentRequired" } else { "dependentSchemas" };
            let group = rules.entry(keyword).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(group) = group {
                group.entry(name).or_insert(needed);
            }
        }
    }
}

/// Lists always have one schema for their items: a tuple becomes a union of what it may hold.
pub(super) fn single_items(rules: &mut Map<String, Value>) {
    let is_list = rules.get("type").is_some_and(|name| name == "array");
    match rules.get_mut("items") {
        Some(items @ Value::Array(_)) => {
            let mut choices: Vec<Value> = Vec::new();
            if let Value::Array(tuple) = items.take() {
                for schema in tuple {
                    if !choices.contains(&schema) {
                        choices.push(schema);
                    }
                }
            }
            *items = match choices.len() {
                0 => Value::Object(Map::new()),
                1 => choices.swap_remove(0),
                _ => {
                    let mut union = Map::from_iter([("anyOf".to_owned(), choices.into())]);
                    collapse_nullable(&mut union);
                    Value::Object(union)
                }
            };
            rules.shift_remove("additionalItems");
        }
        Some(_) => {}
        None if is_list => {
            rules.insert("items".to_owned(), Value::Object(Map::new()));
        }
        None => {}
    }
}
