//! What a tool's calls need, found by preparing sample calls that never run: a tool says of every call what it
//! would touch, and of itself nothing.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use hermes_core::{AnyTool, Permission};
use serde_json::{Map, Value};

/// More kinds of call than this are not told apart.
const MOST_SAMPLES: usize = 64;
/// Schemas nest no deeper than this before samples stop following them.
const MAX_DEPTH: usize = 6;

/// The permissions of each kind of call; empty if no sample could be made.
pub(super) fn uses(tool: &Arc<dyn AnyTool>) -> Vec<Vec<Permission>> {
    let mut kinds: BTreeSet<Vec<Permission>> = BTreeSet::new();
    for sample in samples(&tool.info().parameters) {
        let prepared =
            AssertUnwindSafe(|| Arc::clone(tool).prepare(&sample).map(|prepared| prepared.access()));
        let Ok(Ok(access)) = catch_unwind(prepared) else { continue };
        let needed: BTreeSet<Permission> = access.into_iter().map(|access| access.permission).collect();
        kinds.insert(needed.into_iter().collect());
    }
    kinds.into_iter().collect()
}

/// Arguments that a schema takes: what is required, everything, and beside either each value of each choice.
fn samples(schema: &Value) -> Vec<Value> {
    let schema = Schema { root: schema };
    let Some(fields) = schema.root.get("properties").and_then(Value::as_object) else {
        return vec![Value::Object(Map::new())];
    };
    // What a tool requires is not always in its schema: the other sample has all there is.
    let whole = fields.iter().map(|(name, field)| (name.clone(), schema.least(field, MAX_DEPTH)));
    let mut samples = vec![schema.least(schema.root, MAX_DEPTH), Value::Object(whole.collect())];
    for (name, field) in fields {
        for choice in schema.choices(field) {
            // Choices may go together, as an action and its target do; those made before are varied too.
            let varied: Vec<Value> = samples
                .iter()
                .take(MOST_SAMPLES / 4)
                .filter_map(|sample| {
                    let mut sample = sample.as_object()?.clone();
                    sample.insert(name.clone(), choice.clone());
                    Some(Value::Object(sample))
                })
                .filter(|sample| !samples.contains(sample))
                .collect();
            samples.extend(varied);
            samples.truncate(MOST_SAMPLES);
        }
    }
    samples
}

struct Schema<'a> {
    root: &'a Value,
}

impl<'a> Schema<'a> {
    /// The schema that a reference or a list of alternatives leads to.
    fn followed(&self, schema: &'a Value, depth: usize) -> &'a Value {
        let next = match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) => reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer)),
            None => ["allOf", "anyOf", "oneOf"].iter().find_map(|key| schema.get(*key)?.get(0)),
        };
        match next.filter(|_| depth > 0) {
            Some(next) => self.followed(next, depth - 1),
            None => schema,
        }
    }

    /// The values that a field can only have, and yes and no where it is a switch.
    fn choices(&self, field: &'a Value) -> Vec<Value> {
        let field = self.followed(field, MAX_DEPTH);
        match field.get("enum").and_then(Value::as_array) {
            Some(values) => values.clone(),
            None if is_of(field, "boolean") => vec![Value::Bool(false), Value::Bool(true)],
            None => Vec::new(),
        }
    }

    /// The smallest value that fits.
    fn least(&self, schema: &'a Value, depth: usize) -> Value {
        let schema = self.followed(schema, MAX_DEPTH);
        if let Some(given) = schema.get("default").or_else(|| schema.get("const")) {
            return given.clone();
        }
        if let Some(first) = schema.get("enum").and_then(|values| values.get(0)) {
            return first.clone();
        }
        let number = || schema.get("minimum").filter(|least| least.is_number()).cloned();
        if is_of(schema, "string") {
            let is_address = schema.get("format").is_some_and(|format| format == "uri");
            return Value::from(if is_address { "https://example.com/" } else { "x" });
        }
        if is_of(schema, "integer") || is_of(schema, "number") {
            return number().unwrap_or_else(|| 1.into());
        }
        if is_of(schema, "boolean") {
            return Value::Bool(false);
        }
        if is_of(schema, "array") {
            let wanted = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1).clamp(1, 4);
            let item = schema.get("items").filter(|_| depth > 0);
            return item.map_or_else(
                || Value::Array(Vec::new()),
                |item| Value::Array((0..wanted).map(|_| self.least(item, depth - 1)).collect()),
            );
        }
        let fields = schema.get("properties").and_then(Value::as_object).filter(|_| depth > 0);
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required = required.filter_map(Value::as_str);
        let filled =
            required.filter_map(|name| Some((name.to_owned(), self.least(fields?.get(name)?, depth - 1))));
        Value::Object(filled.collect())
    }
}

fn is_of(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(found)) => found == kind,
        Some(Value::Array(found)) => found.iter().any(|found| found == kind),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn samples_have_what_is_required_and_every_choice() {
        let schema = json!({
            "type": "object",
            "required": ["action", "path", "list"],
            "properties": {
                "action": {"$ref": "#/definitions/Action"},
                "path": {"type": "string"},
                "list": {"type": "array", "items": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "minimum": 3}}}},
                "reveal": {"type": "boolean", "default": false},
            },
            "definitions": {"Action": {"enum": ["get", "set"]}},
        });
        let samples = samples(&schema);
        for action in ["get", "set"] {
            for reveal in [false, true] {
                let wanted = json!({"action": action, "path": "x", "list": [{"n": 3}], "reveal": reveal});
                assert!(samples.contains(&wanted), "{wanted} in {samples:?}");
            }
        }
        assert_eq!(super::samples(&json!({"type": "object"})), [json!({})]);
        assert!(samples.len() <= MOST_SAMPLES);
    }
}
