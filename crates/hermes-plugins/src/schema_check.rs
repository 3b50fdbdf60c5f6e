//! Whether calls can be checked against a schema: found out when a tool is read, by the very rules that calls
//! are checked by, and not at the first call.

use hermes_core::names::nearest;
use hermes_core::schema::{Position, position};
use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use serde_json::{Map, Value};

use crate::pattern_budget::PatternBudget;

/// Below what the engine itself allows; no pattern that was paid for comes near it.
const MAX_PATTERN_BYTES: usize = 4 << 20;
/// Nobody reads more of them at once.
const MAX_FLAWS: usize = 20;

/// The words of JSON Schema, draft 7.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "$comment", "$id", "$ref", "$schema", "additionalItems", "additionalProperties", "allOf", "anyOf", "const", "contains",
    "contentEncoding", "contentMediaType", "default", "definitions", "dependencies", "deprecated", "description", "else",
    "enum", "examples", "exclusiveMaximum", "exclusiveMinimum", "format", "if", "items", "maxItems", "maxLength",
    "maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf", "not", "oneOf", "pattern",
    "patternProperties", "properties", "propertyNames", "readOnly", "required", "then", "title", "type", "uniqueItems",
    "writeOnly",
];

const TYPES: &[&str] = &["array", "boolean", "integer", "null", "number", "object", "string"];

/// Something wrong with a schema.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Flaw {
    /// A JSON pointer to it.
    pub(crate) pointer: String,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

/// Whether words that mean nothing are mistakes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    /// A person wrote them into a file of ours.
    Known,
    /// Programs add words of their own to schemas.
    Any,
}

/// Everything that is wrong with a schema; what it takes to try its patterns is paid from the budget.
pub(crate) fn flaws(schema: &Value, words: Words, budget: &mut PatternBudget) -> Vec<Flaw> {
    let rules = jsonschema::draft7::meta::validator();
    let mut look = Look { words, budget, rules: &rules, flaws: Vec::new() };
    look.schema(schema, "");
    let mut flaws = look.flaws;
    if flaws.is_empty() {
        let built = jsonschema::options()
            .with_draft(Draft::Draft7)
            .with_pattern_options(PatternOptions::regex().size_limit(MAX_PATTERN_BYTES))
            .build(schema);
        match built {
            Ok(validator) if words == Words::Known => flaws.extend(unfit_defaults(schema, &validator)),
            Ok(_) => {}
            Err(error) => flaws.push(Flaw {
                pointer: error.instance_path().to_string(),
                message: error.to_string(),
                hint: None,
            }),
        }
    }
    flaws.truncate(MAX_FLAWS);
    flaws
}

/// Defaults that no call could be made with. They are filled in after a call was checked, so nobody else looks.
fn unfit_defaults(schema: &Value, validator: &Validator) -> Vec<Flaw> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let default =
        |(name, property): (&String, &Value)| Some((name.clone(), property.get("default")?.clone()));
    let defaults: Map<String, Value> = properties.into_iter().flatten().filter_map(default).collect();
    if defaults.is_empty() {
        return Vec::new();
    }
    let defaults = Value::Object(defaults);
    let unfit = validator.iter_errors(&defaults).filter_map(|error| {
        let place = error.instance_path().to_string();
        let name = place.split('/').nth(1)?;
        let pointer = format!("/properties/{name}/default");
        Some(Flaw { pointer, message: format!("the default does not fit: {error}"), hint: None })
    });
    unfit.take(MAX_FLAWS).collect()
}

struct Look<'b> {
    words: Words,
    budget: &'b mut PatternBudget,
    /// What a schema must be, as a schema.
    rules: &'b Validator,
    flaws: Vec<Flaw>,
}

impl Look<'_> {
    fn schema(&mut self, schema: &Value, pointer: &str) {
        let Value::Object(entries) = schema else { return };
        self.level(entries, pointer);
        for (word, value) in entries {
            if self.flaws.len() >= MAX_FLAWS {
                return;
            }
            let here = below(pointer, word);
            match (word.as_str(), value) {
                ("pattern", Value::String(pattern)) => self.pattern(pattern, &here),
                ("patternProperties", Value::Object(patterns)) => {
                    for pattern in patterns.keys() {
                        self.pattern(pattern, &below(&here, pattern));
                    }
                }
                _ => {}
            }
            if self.words == Words::Known && !KEYWORDS.contains(&word.as_str()) {
                let near = nearest(word, KEYWORDS.iter().copied(), 1);
                let hint = near.first().map(|near| format!("did you mean {near}?"));
                let message = format!("unknown key \"{word}\" in a schema");
                self.flaws.push(Flaw { pointer: here.clone(), message, hint });
            }
            self.inner(word, value, &here);
        }
    }

    /// One schema without those within it, so that what is wrong is told where it is.
    fn level(&mut self, entries: &Map<String, Value>, pointer: &str) {
        let level: Map<String, Value> =
            entries.iter().map(|(word, value)| (word.clone(), without_inner(word, value))).collect();
        let level = Value::Object(level);
        if self.rules.is_valid(&level) {
            return;
        }
        // Patterns are tried where they are paid for, and told about in more words.
        let is_pattern =
            |error: &ValidationError<'_>| matches!(error.kind(), ValidationErrorKind::Format { .. });
        let errors = self.rules.iter_errors(&level).filter(|error| !is_pattern(error));
        for error in errors.take(MAX_FLAWS) {
            let inner = error.instance_path().to_string();
            let (message, hint) = match (inner.as_str(), level.pointer(&inner)) {
                ("/type", Some(Value::String(kind))) => {
                    let near = nearest(kind, TYPES.iter().copied(), 1);
                    let hint = near.first().map(|near| format!("did you mean {near}?"));
                    (format!("{kind:?} is no type"), hint)
                }
                _ => (error.to_string(), None),
            };
            self.flaws.push(Flaw { pointer: format!("{pointer}{inner}"), message, hint });
        }
    }

    /// The schemas within a word's value.
    fn inner(&mut self, word: &str, value: &Value, here: &str) {
        match (position(word), value) {
            (Position::One | Position::Items, Value::Object(_)) => self.schema(value, here),
            (Position::List | Position::Items, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.schema(item, &below(here, &index.to_string()));
                }
            }
            (Position::Named | Position::Dependencies, Value::Object(named)) => {
                for (name, item) in named {
                    self.schema(item, &below(here, name));
                }
            }
            _ => {}
        }
    }

    fn pattern(&mut self, pattern: &str, here: &str) {
        if let Err(why) = self.budget.pay(pattern) {
            let message = format!("the pattern cannot be used: {why}");
            self.flaws.push(Flaw { pointer: here.to_owned(), message, hint: None });
        }
    }
}

/// A word's value with every schema in it replaced by one that says nothing.
fn without_inner(word: &str, value: &Value) -> Value {
    let blank = |value: &Value| if value.is_object() { Value::Bool(true) } else { value.clone() };
    match (position(word), value) {
        (Position::One | Position::Items, Value::Object(_)) => Value::Bool(true),
        (Position::List | Position::Items, Value::Array(items)) => items.iter().map(blank).collect(),
        (Position::Named | Position::Dependencies, Value::Object(named)) => {
            Value::Object(named.iter().map(|(name, value)| (name.clone(), blank(value))).collect())
        }
        _ => value.clone(),
    }
}

fn below(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wrong(schema: Value) -> Vec<String> {
        let found = flaws(&schema, Words::Known, &mut PatternBudget::default());
        found.into_iter().map(|flaw| format!("{}: {}", flaw.pointer, flaw.message)).collect()
    }

    #[test]
    fn what_calls_could_not_be_checked_against_is_found() {
        for (schema, expected) in [
            (
                json!({"properties": {"a": {"items": {"type": "strng"}}}}),
                "/properties/a/items/type: \"strng\" is no type",
            ),
            (
                json!({"properties": {"a": {"pattern": "("}}}),
                "/properties/a/pattern: the pattern cannot be used: unclosed group",
            ),
            (json!({"anyOf": [{}, {"minLength": -1}]}), "/anyOf/1/minLength: "),
            (json!({"patternProperties": {"[": {}}}), "/patternProperties/[: the pattern"),
            (json!({"properties": {"a/b": {"required": "x"}}}), "/properties/a~1b/required: "),
            (json!({"items": {"min_length": 1}}), "/items/min_length: unknown key"),
            (json!({"properties": {"a": {"$ref": "#/definitions/none"}}}), ""),
            (json!({"properties": {"a": {"$ref": "https://example.com/x.json"}}}), ""),
        ] {
            let found = wrong(schema.clone());
            assert!(found.iter().any(|flaw| flaw.starts_with(expected)), "{schema}: {found:?}");
        }
        let fine = json!({
            "type": "object",
            "properties": {"pattern": {"type": "string"}, "b": {"$ref": "#/definitions/b"}},
            "definitions": {"b": {"default": {"pattern": "("}, "enum": [{"type": "strng"}]}},
        });
        assert_eq!(wrong(fine), [""; 0]);
    }
}
