//! What it costs to check a value is known beforehand, for any schema.

use hermes_core::schema::Effort;
use serde_json::{Map, Value, json};

fn allows(schema: &Value, value: &Value) -> bool {
    Effort::of(schema).unwrap().allows(schema, value)
}

/// A chain of parts, each made of the next one.
fn chain(length: usize, part: impl Fn(Value) -> Value) -> Value {
    let mut parts = Map::new();
    for index in 0..length {
        parts.insert(format!("N{index}"), part(json!({"$ref": format!("#/$defs/N{}", index + 1)})));
    }
    parts.insert(format!("N{length}"), json!({"type": "integer"}));
    json!({"type": "object", "properties": {"v": {"$ref": "#/$defs/N0"}}, "$defs": parts})
}

#[test]
fn schemas_that_unfold_without_end_are_not_checked() {
    let twice = ["anyOf", "oneOf", "allOf"].map(|keyword| chain(25, |next| json!({keyword: [next, next]})));
    let conditions = chain(25, |next| json!({"if": next, "then": next, "else": next}));
    let negations = chain(25, |next| json!({"not": next, "anyOf": [next]}));
    let dependencies = chain(25, |next| json!({"dependencies": {"a": next, "b": next}}));
    let looped =
        json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}});
    let itself = json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]});
    for schema in twice.iter().chain([&conditions, &negations, &dependencies, &looped, &itself]) {
        for value in [json!({"v": "x"}), json!({"v": 5}), json!({"v": {"a": 1, "b": 2}})] {
            assert!(!allows(schema, &value), "{schema}");
        }
    }
    let below =
        json!({"anyOf": [{"properties": {"a": {"$ref": "#"}}}, {"properties": {"a": {"$ref": "#"}}}]});
    let items = json!({"oneOf": [{"items": {"$ref": "#"}}, {"additionalItems": {"$ref": "#"}, "items": [{"$ref": "#"}]}]});
    let (mut objects, mut lists) = (json!(1), json!(1));
    for _ in 0..60 {
        (objects, lists) = (json!({"a": objects}), json!([lists]));
    }
    assert!(!allows(&below, &objects) && !allows(&items, &lists));
    assert!(allows(&below, &json!({"a": {"a": 1}})) && allows(&items, &json!([[1]])));
}

#[test]
fn honest_schemas_are() {
    let wide = json!({"anyOf": (0..200).map(|n| json!({"properties": {format!("p{n}"): {"type": "string"}}})).collect::<Vec<_>>()});
    assert!(allows(&wide, &json!({"p1": "a"})));
    let filter = json!({"$ref": "#/$defs/F", "$defs": {"F": {"anyOf": [
        {"properties": {"and": {"type": "array", "items": {"$ref": "#/$defs/F"}}}, "required": ["and"]},
        {"properties": {"or": {"type": "array", "items": {"$ref": "#/$defs/F"}}}, "required": ["or"]},
        {"properties": {"not": {"$ref": "#/$defs/F"}}, "required": ["not"]},
        {"properties": {"field": {"type": "string"}, "equals": {}}, "required": ["field"]}]}}});
    let leaf = json!({"field": "a", "equals": 1});
    let list = vec![json!({"not": leaf}); 200];
    assert!(allows(&filter, &json!({"and": [{"or": list}, {"not": {"and": [leaf, leaf]}}]})));
    let mut deep = leaf;
    for _ in 0..50 {
        deep = json!({"and": [deep]});
    }
    assert!(allows(&filter, &deep));
    assert!(allows(&chain(20, |next| json!({"anyOf": [next]})), &json!({"v": 5})));
}

#[test]
fn names_that_cannot_be_followed_are_refused() {
    let anchored = json!({"$defs": {"A": {"$id": "#a", "type": "string"}}, "$ref": "#a"});
    let moved = json!({"properties": {"a": {"$id": "http://x/y", "$ref": "#/b"}}, "b": {}});
    for schema in [anchored, moved, json!({"$ref": "other.json"})] {
        assert!(Effort::of(&schema).is_err(), "{schema}");
    }
    assert!(Effort::of(&json!({"$id": "http://x/y", "$ref": "#/b", "b": {}})).is_ok());
}
