//! Type lists and unions with null, in the forms that weaker providers understand.

use serde_json::{Map, Value};

/// Keywords that say nothing about validity: those of the outer schema describe the field best.
const ANNOTATIONS: [&str; 4] = ["title", "description", "default", "examples"];
pub(super) const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// The JSON Schema name of a type, also when it is written as in a programming language.
pub(super) fn type_name(name: &str) -> Option<&'static str> {
    if let Some(known) = TYPES.iter().find(|known| **known == name) {
        return Some(known);
    }
    match name.to_ascii_lowercase().as_str() {
        "string" | "str" | "text" => Some("string"),
        "integer" | "int" | "int32" | "int64" | "long" => Some("integer"),
        "number" | "float" | "double" | "decimal" => Some("number"),
        "boolean" | "bool" => Some("boolean"),
        "array" | "list" | "tuple" | "set" => Some("array"),
        "object" | "dict" | "map" | "record" => Some("object"),
        "null" | "none" | "nil" => Some("null"),
        _ => None,
    }
}

/// A list of types as a single type, or as a union where it names several. `complete` makes the repairs
/// that every schema gets, for those that arise here.
pub(super) fn rewrite_type_list(
    rules: &mut Map<String, Value>,
    names: &[&'static str],
    complete: impl Fn(&mut Map<String, Value>),
) {
    let real: Vec<&'static str> = names.iter().copied().filter(|name| *name != "null").collect();
    let with_null = real.len() < names.len();
    match real.as_slice() {
        [] => {
            let only = if with_null { "null" } else { "object" };
            rules.insert("type".to_owned(), only.into());
            return;
        }
        [name] => {
            rules.insert("type".to_owned(), (*name).into());
        }
        several => {
            let branches: Vec<Value> =
                several.iter().map(|name| schema_of("type", (*name).into(), &complete)).collect();
            add_union(rules, branches.into(), complete);
        }
    }
    if with_null {
        rules.insert("nullable".to_owned(), true.into());
    }
}

/// A schema with this one rule.
fn schema_of(keyword: &str, rule: Value, complete: impl Fn(&mut Map<String, Value>)) -> Value {
    let mut rules = Map::from_iter([(keyword.to_owned(), rule)]);
    complete(&mut rules);
    Value::Object(rules)
}

/// Adds a union beside one that may be there already: both must hold.
fn add_union(rules: &mut Map<String, Value>, branches: Value, complete: impl Fn(&mut Map<String, Value>)) {
    let Some(existing) = rules.shift_remove("anyOf") else {
        rules.insert("anyOf".to_owned(), branches);
        return;
    };
    // Each is a schema of its own now: one that allows null collapses here as it would anywhere.
    let both = [existing, branches].map(|union| schema_of("anyOf", union, &complete));
    match rules.get_mut("allOf") {
        Some(Value::Array(all)) => all.extend(both),
        _ => {
            rules.insert("allOf".to_owned(), Value::from(both.to_vec()));
        }
    }
}

/// Unions of null and one other schema become that schema with `nullable`. Tells whether any did.
pub(super) fn collapse_nullable(rules: &mut Map<String, Value>) -> bool {
    let mut collapsed = false;
    // What collapses first can be what kept the other from collapsing.
    while collapse_one(rules, "anyOf") || collapse_one(rules, "oneOf") {
        collapsed = true;
    }
    collapsed
}

/// Tells whether the union was there and collapsed.
fn collapse_one(rules: &mut Map<String, Value>, keyword: &str) -> bool {
    let Some(Value::Array(branches)) = rules.get(keyword) else { return false };
    let mut real = branches.iter().filter(|branch| !is_null(branch));
    let (Some(Value::Object(branch)), None) = (real.next(), real.next()) else { return false };
    if branches.len() < 2 || conflicts(rules, branch, keyword) {
        return false;
    }
    let mut merged = branch.clone();
    rules.shift_remove(keyword);
    merged.extend(std::mem::take(rules));
    merged.insert("nullable".to_owned(), true.into());
    *rules = merged;
    true
}

fn is_null(branch: &Value) -> bool {
    branch.get("type").is_some_and(|name| name == "null")
}

/// Whether the outer schema and the branch say different things under one keyword.
fn conflicts(outer: &Map<String, Value>, branch: &Map<String, Value>, union: &str) -> bool {
    outer.iter().filter(|(name, _)| *name != union && !ANNOTATIONS.contains(&name.as_str())).any(
        |(name, rule)| {
            // A branch with a union of its own under the same keyword would be lost.
            branch.get(name).is_some_and(|other| other != rule)
        },
    )
}
