//! Schemas that mean nothing in part: what is sent can be checked by anybody, and nothing goes in silence.

use hermes_core::redact::Redactor;
use hermes_core::schema::{Provider, checked, normalise, notes, surely_fits};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::schemas::field;

fn with_field(schema: &Value) -> Value {
    json!({"type": "object", "properties": {"a": schema}})
}

#[test]
fn keywords_that_mean_nothing_are_left_out_and_told_of() {
    let cases = [
        (json!({"type": "string", "anyOf": []}), "anyOf"),
        (json!({"type": "string", "oneOf": []}), "oneOf"),
        (json!({"type": "string", "allOf": []}), "allOf"),
        (json!({"type": "string", "enum": []}), "enum"),
        (json!({"type": "string", "enum": "a"}), "enum"),
        (json!({"type": "integer", "minimum": "x"}), "minimum"),
        (json!({"type": "integer", "exclusiveMaximum": null}), "exclusiveMaximum"),
        (json!({"type": "number", "multipleOf": 0}), "multipleOf"),
        (json!({"type": "string", "minLength": -1}), "minLength"),
        (json!({"type": "string", "maxLength": 1.5}), "maxLength"),
        (json!({"type": "array", "items": {}, "uniqueItems": "yes"}), "uniqueItems"),
        (json!({"type": "string", "pattern": 5}), "pattern"),
        (json!({"type": "string", "description": 5}), "description"),
        (json!({"type": "string", "format": {}}), "format"),
        (json!({"type": "string", "$ref": 5}), "$ref"),
    ];
    for (schema, keyword) in &cases {
        for provider in Provider::ALL {
            let sent = field(schema.clone(), provider);
            assert!(sent.get(keyword).is_none(), "{provider}: {schema} -> {sent}");
            assert_eq!(sent["type"], schema["type"], "{provider}: {schema}");
            let told = notes(&with_field(schema), provider, &Redactor::none());
            assert_eq!(told.len(), 1, "{told:?}");
            assert!(told[0].starts_with(&format!("/properties/a/{keyword}: left out")), "{told:?}");
        }
    }
}

#[test]
fn what_was_clearly_meant_is_understood() {
    let written = json!({"type": "integer", "minimum": "5", "maximum": " 1e2"});
    let meant = json!({"type": "integer", "minimum": 5, "maximum": 1e2});
    for provider in Provider::ALL {
        assert_eq!(field(written.clone(), provider), meant, "{provider}");
    }
    let told = notes(&with_field(&written), Provider::Generic, &Redactor::none());
    assert_eq!(told[0], "/properties/a/minimum: \"5\" was read as 5");
}

#[test]
fn patterns_that_are_none_keep_their_tool_back() {
    for pattern in ["(", "([", "[a-", "*a", "a)"] {
        let one = with_field(&json!({"type": "string", "pattern": pattern}));
        let names = with_field(&json!({"type": "object", "patternProperties": {pattern: {}}}));
        for (schema, provider) in [one, names].iter().flat_map(|schema| Provider::ALL.map(|p| (schema, p))) {
            assert!(
                normalise(schema, provider).unwrap_err().contains("which is none"),
                "{provider}: {schema}"
            );
            assert!(!surely_fits(schema, provider));
            assert!(checked(schema).is_err());
        }
    }
    let data = json!({"type": "object", "properties": {"pattern": {"type": "string", "default": "("}}});
    assert!(surely_fits(&data, Provider::OpenAi) && normalise(&data, Provider::OpenAi).is_ok());
}

#[test]
fn patterns_of_other_languages_are_sent_and_not_checked_here() {
    for pattern in ["^(?!x)", r"(a)\1", r"\Z", "^{a}$"] {
        let schema = with_field(&json!({"type": "string", "pattern": pattern}));
        for provider in Provider::ALL {
            assert_eq!(normalise(&schema, provider).unwrap()["properties"]["a"]["pattern"], pattern);
        }
        let told = notes(&schema, Provider::Generic, &Redactor::none());
        assert!(told[0].contains("of another language"), "{told:?}");
        assert!(checked(&schema).unwrap()["properties"]["a"].get("pattern").is_none());
    }
    let named = json!({"type": "object", "patternProperties": {"^(?!a)": {}, "^x": {}}, "additionalProperties": false});
    let checked = checked(&named).unwrap();
    assert_eq!(checked["patternProperties"], json!({"^x": {}}));
    assert!(checked.get("additionalProperties").is_none(), "it would keep out what the pattern let in");
}

#[test]
fn references_that_lead_in_a_circle_are_refused_by_all() {
    let circles = [
        json!({"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}),
        json!({"A": {"$ref": "#/$defs/A"}}),
        json!({"A": {"allOf": [{"$ref": "#/$defs/B"}]}, "B": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/A"}]}}),
    ];
    for defs in circles {
        let schema =
            json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}, "b": {}}, "$defs": defs});
        for provider in Provider::ALL {
            assert!(normalise(&schema, provider).unwrap_err().contains("circle"), "{provider}: {schema}");
            assert!(!surely_fits(&schema, provider));
        }
    }
    let tree = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/Tree"}}, "$defs": {"Tree": {
        "type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}, "all": {"type": "array", "items": {"$ref": "#"}}},
    }}});
    for provider in Provider::ALL {
        normalise(&tree, provider).unwrap();
    }
}

#[test]
fn a_property_that_cannot_be_shown_is_told_of() {
    let schema = json!({"type": "object", "properties": {"ok": {}, "a b$%^": {}}});
    let told = notes(&schema, Provider::Anthropic, &Redactor::none());
    assert_eq!(told, ["/properties/a b$%^: left out: the provider refuses its name"]);
    assert!(notes(&schema, Provider::OpenAi, &Redactor::none()).is_empty());
}

fn rule() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!([])),
        Just(json!({})),
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        (-3i64..3).prop_map(Value::from),
        (-3.0..3.0f64).prop_map(Value::from),
        "[(a-c*\\[\\]\\\\0-9?{}]{0,4}".prop_map(Value::from),
        Just(json!(["a", 1])),
        Just(json!([{"type": "string"}, {"type": "null"}])),
        Just(json!({"type": ["string", "null"]})),
        Just(json!({"(?=a)": {"type": "string"}, "b": {"minimum": "x"}})),
    ]
}

fn keyword() -> impl Strategy<Value = String> {
    proptest::sample::select(vec![
        "anyOf",
        "oneOf",
        "allOf",
        "enum",
        "minimum",
        "exclusiveMinimum",
        "multipleOf",
        "minLength",
        "maxItems",
        "uniqueItems",
        "pattern",
        "patternProperties",
        "additionalProperties",
        "items",
        "prefixItems",
        "required",
        "type",
        "description",
        "examples",
        "dependentRequired",
        "dependencies",
        "not",
    ])
    .prop_map(str::to_owned)
}

proptest! {
    #[test]
    fn what_is_sent_means_what_it_says(
        rules in proptest::collection::vec((keyword(), rule()), 0..5),
        inner in proptest::collection::vec((keyword(), rule()), 0..4),
    ) {
        let mut schema: serde_json::Map<String, Value> = rules.into_iter().collect();
        schema.insert("contains".to_owned(), Value::Object(inner.into_iter().collect()));
        let schema = with_field(&Value::Object(schema));
        for provider in Provider::ALL {
            let Ok(once) = normalise(&schema, provider) else { continue };
            let mut told = notes(&once, provider, &Redactor::none());
            told.retain(|note| !note.contains("of another language"));
            prop_assert!(told.is_empty(), "{provider}: {schema} -> {once}: {told:?}");
            let twice = normalise(&once, provider).unwrap();
            prop_assert_eq!(twice.to_string(), once.to_string(), "{}: {}", provider, schema);
        }
        if let Ok(checked) = checked(&schema) {
            prop_assert!(notes(&checked, Provider::Generic, &Redactor::none()).is_empty(), "{schema} -> {checked}");
        }
    }
}
