//! Schemas for Gemini, which takes the least.

use hermes_core::schema::{Provider, normalise};
use serde_json::{Value, json};

use crate::schemas::field;

#[test]
fn gemini_gets_its_subset() {
    let gemini = |schema: Value| field(schema, Provider::Gemini);
    assert_eq!(gemini(json!({"const": "x"})), json!({"type": "string", "enum": ["x"]}));
    assert_eq!(
        gemini(json!({"enum": ["a", "", null]})),
        json!({"type": "string", "enum": ["a"], "nullable": true})
    );
    assert_eq!(
        gemini(json!({"type": "integer", "enum": [1, 2], "description": "n."})),
        json!({"type": "integer", "description": "n. One of: 1, 2."})
    );
    assert_eq!(
        gemini(json!({"type": "object", "additionalProperties": {"type": "string"}, "$comment": "x"})),
        json!({"type": "object"})
    );
    assert_eq!(gemini(json!({"type": "array"})), json!({"type": "array", "items": {"type": "string"}}));
    assert_eq!(
        gemini(json!({"type": "string", "format": "email", "pattern": "^a", "title": "T", "default": "x"})),
        json!({"type": "string", "pattern": "^a"})
    );
    assert_eq!(
        gemini(json!({"type": "string", "format": "date-time"})),
        json!({"type": "string", "format": "date-time"})
    );
    assert_eq!(
        gemini(json!({"type": "integer", "exclusiveMinimum": 0, "multipleOf": 2})),
        json!({"type": "integer", "minimum": 1})
    );
    assert_eq!(
        gemini(
            json!({"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}], "description": "d"})
        ),
        json!({"anyOf": [{"type": "string", "nullable": true, "description": "d"}, {"type": "integer", "nullable": true}]})
    );
    assert_eq!(
        gemini(json!({"allOf": [{"type": "string"}, {"minLength": 2}]})),
        json!({"type": "string", "minLength": 2})
    );
    assert_eq!(gemini(json!({})), json!({"type": "string"}));
    for rules in [
        json!({"additionalProperties": {"type": "string"}}),
        json!({"patternProperties": {"^x": {"type": "integer"}}}),
        json!({"dependencies": {"a": ["b"]}}),
    ] {
        assert_eq!(gemini(rules), json!({"type": "object"}));
    }
    assert_eq!(gemini(json!({"uniqueItems": true}))["type"], "array");
    assert_eq!(gemini(json!({"maximum": 3})), json!({"type": "number", "maximum": 3}));
    assert_eq!(
        gemini(json!({"type": "string", "oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]})),
        json!({"type": "string", "enum": ["a", "b"]})
    );
    assert_eq!(
        gemini(json!({"type": "integer", "anyOf": [{"const": 1}, {"enum": [2, 3]}]})),
        json!({"type": "integer", "description": "One of: 1, 2, 3."})
    );
    assert_eq!(gemini(json!({"type": "null"})), json!({"type": "string", "nullable": true}));
    assert_eq!(
        gemini(json!({"type": "object", "properties": {"x": false, "y": true}, "required": ["x", "y"]})),
        json!({"type": "object", "properties": {"y": {"type": "string"}}, "required": ["y"]})
    );
}

#[test]
fn gemini_gets_references_written_out() {
    let tree = json!({
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/Node", "description": "the root"}, "n": {"$ref": "#/$defs/N"}},
        "$defs": {
            "N": {"type": "integer"},
            "Node": {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}, "next": {"$ref": "#/$defs/Node"}}},
        },
    });
    let found = normalise(&tree, Provider::Gemini).unwrap();
    assert_eq!(found["properties"]["n"], json!({"type": "integer"}));
    let root = &found["properties"]["root"];
    assert_eq!(root["description"], "the root");
    assert_eq!(root["properties"]["n"], json!({"type": "integer"}));
    assert_eq!(root["properties"]["next"]["type"], "object");
    assert!(root["properties"]["next"]["description"].as_str().unwrap().contains("Recursive"));
    assert!(!found.to_string().contains("$ref"));
}
