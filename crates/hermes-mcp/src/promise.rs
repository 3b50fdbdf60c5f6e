//! What a tool promises about its results, and whether they keep it. A server that breaks its own word is told about;
//! what it answered is delivered all the same, because the call has happened.

use std::sync::OnceLock;

use hermes_core::schema::Effort;
use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

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
        let breaches = checker.validator.iter_errors(structured).take(NAMED).map(|error| {
            let at = error.instance_path().to_string();
            let place = if at.is_empty() { "its root" } else { at.as_str() };
            let what: String = error.masked().to_string().chars().take(LONGEST).collect();
            format!("at {place}: {what}")
        });
        let breaches: Vec<String> = breaches.collect();
        let told =
            || format!("structuredContent breaks the tool's own outputSchema: {}", breaches.join("; "));
        (!breaches.is_empty()).then(told)
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
