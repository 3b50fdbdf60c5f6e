//! Text against the values that a schema lists: `enum`, `const`, and null.

use serde_json::{Map, Value};

use super::convert::{from_text, is_type};
use crate::arguments::equality::same;

pub(super) enum Listed {
    /// The text itself is a member.
    AsText,
    /// The text spells exactly one member.
    As(Value),
    No,
}

/// Looks the text up among the values that the schema lists.
pub(super) fn listed(rules: &Map<String, Value>, text: &str) -> Listed {
    let members = match (rules.get("const"), rules.get("enum")) {
        (Some(constant), _) => std::slice::from_ref(constant),
        (None, Some(Value::Array(members))) => members.as_slice(),
        _ => return Listed::No,
    };
    if members.iter().any(|member| member.as_str() == Some(text)) {
        return Listed::AsText;
    }
    let mut spelled: Option<&Value> = None;
    for member in members.iter().filter(|member| spells(text, member) && type_allows(rules, member)) {
        match spelled {
            Some(other) if !same(other, member) => return Listed::No,
            Some(_) => {}
            None => spelled = Some(member),
        }
    }
    spelled.map_or(Listed::No, |member| Listed::As(member.clone()))
}

fn spells(text: &str, member: &Value) -> bool {
    let name = match member {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => return false,
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    from_text(text, name).is_some_and(|value| same(&value, member))
}

fn type_allows(rules: &Map<String, Value>, member: &Value) -> bool {
    match rules.get("type") {
        Some(Value::String(name)) => is_type(name, member),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).any(|name| is_type(name, member)),
        _ => true,
    }
}

pub(super) fn allows_null(rules: &Map<String, Value>) -> bool {
    let is_null_type = |schema: &Map<String, Value>| match schema.get("type") {
        Some(Value::String(name)) => name == "null",
        Some(Value::Array(names)) => names.iter().any(|name| name == "null"),
        _ => schema.get("const").is_some_and(Value::is_null),
    };
    let branches = |keyword| rules.get(keyword).and_then(Value::as_array).into_iter().flatten();
    is_null_type(rules)
        || rules.get("nullable") == Some(&Value::Bool(true))
        || branches("anyOf").chain(branches("oneOf")).filter_map(Value::as_object).any(is_null_type)
}
