//! The schema normaliser, for every provider: an output is an object schema and gives itself. Input is a
//! row of `cases/schema_sanitize.jsonl`, or bytes from which a schema is made.

use crate::json;
use arbitrary::Unstructured;
use hermes_core::schema::{Provider, normalise};
use serde_json::Value;

/// Stops at a promise that is broken.
pub fn holds(data: &[u8]) {
    let schema = match serde_json::from_slice::<Value>(data) {
        Ok(Value::Object(mut case)) => case.remove("in").unwrap_or(Value::Object(case)),
        Ok(value) => value,
        Err(_) => match json::schema(&mut Unstructured::new(data)) {
            Ok(schema) => schema,
            Err(_) => return,
        },
    };
    for provider in Provider::ALL {
        let Ok(once) = normalise(&schema, provider) else { continue };
        assert_eq!(once["type"], "object", "{provider}: {schema} -> {once}");
        assert!(once["properties"].is_object(), "{provider}: {schema} -> {once}");
        let twice = normalise(&once, provider).map(|twice| twice.to_string());
        assert_eq!(twice, Ok(once.to_string()), "{provider}: {schema}");
        if let Some(remarked) = remarked(&schema, provider) {
            assert_eq!(remarked.to_string(), once.to_string(), "{provider}: {schema}");
        }
    }
}

/// The same with a remark beside it, which must change nothing else: schemas that are fit as they are may
/// go a shorter way than the others.
fn remarked(schema: &Value, provider: Provider) -> Option<Value> {
    let mut schema = schema.as_object()?.clone();
    if schema.insert("$comment".to_owned(), "a remark".into()).is_some() {
        return None;
    }
    let mut normal = normalise(&Value::Object(schema), provider).ok()?;
    normal.as_object_mut()?.shift_remove("$comment");
    Some(normal)
}
