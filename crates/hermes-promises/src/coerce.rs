//! Coercion: idempotent, never changes what is valid already, and gives JSON. Input is a row of
//! `cases/coercion.jsonl`, or bytes from which a schema and arguments are made.

use crate::json::{self, same};
use hermes_core::ErrorCode;
use hermes_core::arguments::{Problem, Shape, coerce, example, explain};
use hermes_core::redact::Redactor;
use hermes_runtime::validate;
use serde_json::Value;

/// Stops at a promise that is broken.
pub fn holds(data: &[u8]) {
    let made = json::pair(data, ["schema", "args"], |from| {
        Ok([json::schema(from)?, json::object(from, json::value)?.into()])
    });
    let Some([schema, Value::Object(given)]) = made else { return };

    let mut once = given.clone();
    let repairs = coerce(&schema, &mut once);
    assert!(repairs.is_empty() <= (once == given), "a change without a note: {schema} {given:?} -> {once:?}");
    let text = serde_json::to_string(&once).unwrap();
    assert!(serde_json::from_str::<Value>(&text).is_ok());

    let mut twice = once.clone();
    let again = coerce(&schema, &mut twice);
    assert!(again.is_empty() && once == twice, "{schema} {given:?} -> {once:?} -> {twice:?}");

    let before = validate(&schema, &Value::Object(given.clone()), &Redactor::none());
    if before.is_ok() && !has_preferences(&schema) {
        let (before, after) = (Value::Object(given), Value::Object(once.clone()));
        assert!(same(&before, &after), "valid arguments were changed: {schema} {before} -> {after}");
    }
    let call = Value::Object(once);
    if let Err(error) = before
        && error.code != ErrorCode::Unavailable
    {
        let problems = [Problem::new("/a", "x", "y"), Problem::missing("", "b")];
        let shape = Shape { schema: &schema, examples: std::slice::from_ref(&call) };
        explain(&shape, &call, &problems, |_| Vec::new(), &Redactor::none());
        explain(&shape, &call, &problems, |_| vec![Problem::missing("", "c")], &Redactor::none());
        example(&schema);
    }
}

/// Whether the schema says that text may be read as something else although text is welcome: by a list
/// of types in order of preference, or by allowing null. Draft 7 ignores what stands beside a `$ref` and
/// knows no `prefixItems`; coercion heeds both.
fn has_preferences(schema: &Value) -> bool {
    match schema {
        Value::Object(rules) => {
            rules.get("type").is_some_and(|kind| kind.is_array() || kind == "null")
                || rules.contains_key("nullable")
                || rules.contains_key("prefixItems")
                || rules.get("const").is_some_and(Value::is_null)
                || (rules.contains_key("$ref") && rules.len() > 1)
                || rules.values().any(has_preferences)
        }
        Value::Array(items) => items.iter().any(has_preferences),
        _ => false,
    }
}
