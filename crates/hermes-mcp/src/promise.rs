//! What a tool promises about its results, and whether they keep it. A server that breaks its own word is told about;
//! what it answered is delivered all the same, because the call has happened.

use std::sync::OnceLock;

use hermes_core::schema::Effort;
use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use crate::lines::long_integer;

/// How many breaches are named.
const NAMED: usize = 3;
/// The longest description of one.
const LONGEST: usize = 200;

/// The schema of a tool's results.
pub(crate) struct Promise {
    schema: Value,
    /// Made at the first result: most tools that are listed are never called.
    checker: OnceLock<Option<Checker>>,
}

struct Checker {
    validator: Validator,
    effort: Effort,
}

impl Promise {
    pub(crate) fn new(schema: &Value) -> Self {
        Promise { schema: schema.clone(), checker: OnceLock::new() }
    }

    /// What is wrong with a result. A schema that cannot be used, or not in reasonable time, promises nothing.
    pub(crate) fn broken_by(&self, structured: Option<&Value>) -> Option<String> {
        let Some(checker) = self.checker.get_or_init(|| checker(&self.schema)) else { return None };
        let Some(structured) = structured else {
            return Some("the tool has an outputSchema, but its answer has no structuredContent".to_owned());
        };
        if !checker.effort.allows(&self.schema, structured) {
            return None;
        }
        let mut breaches = checker.breaches(structured);
        if !breaches.is_empty() && has_long_integers(structured) {
            breaches = checker.breaches(&checker.with_long_integers(structured, false));
            // Of a choice between schemas it is said at what they are for.
            let meets = |all: &Value| checker.validator.is_valid(all);
            if !breaches.is_empty() && meets(&checker.with_long_integers(structured, true)) {
                return None;
            }
        }
        let told =
            || format!("structuredContent breaks the tool's own outputSchema: {}", breaches.join("; "));
        (!breaches.is_empty()).then(told)
    }
}

impl Checker {
    fn breaches(&self, structured: &Value) -> Vec<String> {
        let breaches = self.validator.iter_errors(structured).take(NAMED).map(|error| {
            let at = error.instance_path().to_string();
            let place = if at.is_empty() { "its root" } else { at.as_str() };
            let what: String = error.masked().to_string().chars().take(LONGEST).collect();
            format!("at {place}: {what}")
        });
        breaches.collect()
    }

    /// The same with integers of more than 64 bits as the server sent them, where their texts break a promise, or stand in
    /// what does.
    fn with_long_integers(&self, structured: &Value, in_parts: bool) -> Value {
        let mut read = structured.clone();
        for error in self.validator.iter_errors(structured) {
            let part = read.pointer_mut(&error.instance_path().to_string());
            if let Some(part) = part.filter(|part| in_parts || part.is_string()) {
                as_numbers(part);
            }
        }
        read
    }
}

/// Their digits are kept as texts on their way through Hermes, which is no breach of the server's.
fn has_long_integers(value: &Value) -> bool {
    match value {
        Value::String(text) => long_integer(text).is_some(),
        Value::Array(items) => items.iter().any(has_long_integers),
        Value::Object(fields) => fields.values().any(has_long_integers),
        _ => false,
    }
}

fn as_numbers(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(number) = long_integer(text) {
                *value = Value::Number(number);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(as_numbers),
        Value::Object(fields) => fields.values_mut().for_each(as_numbers),
        _ => {}
    }
}

/// Patterns come from foreign schemas: the linear-time engine cannot be made to hang.
fn checker(schema: &Value) -> Option<Checker> {
    let effort = Effort::of(schema).ok()?;
    let options = jsonschema::options().with_pattern_options(PatternOptions::regex());
    Some(Checker { validator: options.build(schema).ok()?, effort })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_promised_is_held_against_what_came() {
        let promise = Promise::new(&json!({
            "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"],
        }));
        assert_eq!(promise.broken_by(Some(&json!({"n": 1, "more": true}))), None);
        for (structured, word) in
            [(json!({"n": "x"}), "/n"), (json!({}), "its root"), (json!([1]), "its root")]
        {
            let broken = promise.broken_by(Some(&structured)).unwrap();
            assert!(broken.contains(word), "{structured}: {broken}");
        }
        assert!(promise.broken_by(None).unwrap().contains("no structuredContent"));
    }

    #[test]
    fn integers_of_more_than_64_bits_whose_digits_are_kept_as_texts_break_nothing() {
        let long = "1180591620717411303425";
        let integer = json!({"type": "integer"});
        let either =
            json!({"oneOf": [{"properties": {"n": integer}}, {"properties": {"n": {"type": "null"}}}]});
        let two = json!({"properties": {"n": integer, "text": {"type": "string"}}});
        for schema in [&json!({"properties": {"n": integer}}), &two, &either] {
            let promise = Promise::new(schema);
            assert_eq!(promise.broken_by(Some(&json!({"n": long, "text": long}))), None, "{schema}");
            assert!(promise.broken_by(Some(&json!({"n": "7", "text": long}))).is_some(), "{schema}");
        }
        let told = Promise::new(&two).broken_by(Some(&json!({"n": long, "text": 7}))).unwrap();
        assert!(told.contains("/text") && !told.contains("/n"), "{told}");
    }

    #[test]
    fn a_schema_that_cannot_be_used_promises_nothing() {
        for schema in [json!({"type": 7}), json!({"$ref": "https://elsewhere.example/s.json"})] {
            assert_eq!(Promise::new(&schema).broken_by(Some(&json!({"a": 1}))), None, "{schema}");
        }
    }

    /// A kilobyte that would take longer than anybody waits.
    #[test]
    fn a_schema_that_unfolds_without_end_is_not_tried() {
        let twice = |of: String| json!({"anyOf": [{"$ref": of}, {"$ref": of}]});
        let parts = (0..60).map(|n| (format!("d{n}"), twice(format!("#/$defs/d{}", n + 1))));
        let mut defs: serde_json::Map<String, Value> = parts.collect();
        defs.insert("d60".into(), json!({"type": "string"}));
        let promise = Promise::new(&json!({"$ref": "#/$defs/d0", "$defs": defs}));
        assert_eq!(promise.broken_by(Some(&json!({}))), None);
    }
}
