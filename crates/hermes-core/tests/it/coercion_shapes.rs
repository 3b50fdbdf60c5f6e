//! Coercion of containers, unions, references and literals.

use hermes_core::arguments::coerce;
use serde_json::{Value, json};

use crate::coercion::{coerced, field};
use crate::fixtures::same;

#[test]
fn unions_prefer_what_fits_already() {
    let any = |branches: Value| json!({"anyOf": branches});
    let (text, integer, nothing) =
        (json!({"type": "string"}), json!({"type": "integer"}), json!({"type": "null"}));
    assert_eq!(field(any(json!([integer, nothing])), json!("42")), json!(42));
    assert_eq!(field(any(json!([integer, nothing])), json!("null")), json!(null));
    assert_eq!(field(any(json!([text, integer])), json!("42")), json!("42"));
    assert_eq!(field(any(json!([integer, text])), json!("42")), json!("42"));
    assert_eq!(field(json!({"oneOf": [integer, {"type": "boolean"}]}), json!("true")), json!(true));
    assert_eq!(field(json!({"oneOf": [{"const": 1}, {"const": 2}]}), json!("2")), json!(2));
    let list = json!({"type": "array", "items": {"type": "string"}});
    assert_eq!(field(any(json!([list, nothing])), json!("x")), json!(["x"]));
    assert_eq!(field(any(json!([list, text])), json!("x")), json!("x"));
    assert_eq!(field(any(json!([list, integer])), json!("5")), json!(5));
    assert_eq!(field(json!({"type": ["integer", "string"]}), json!("42")), json!(42));
    assert_eq!(field(json!({"type": ["integer", "string"]}), json!("007")), json!("007"));
    assert_eq!(field(json!({"type": ["number", "string"]}), json!("1.0")), json!("1.0"));
    assert_eq!(field(json!({"type": ["array", "null"]}), json!("x")), json!(["x"]));
    assert_eq!(field(json!({"type": ["object", "array"]}), json!("x")), json!("x"));
}

#[test]
fn texts_are_told_apart_by_length_and_spelling() {
    let word = json!({"type": "string", "pattern": "^[a-z]+$"});
    let any = |text: &Value| json!({"anyOf": [text, {"type": "integer"}]});
    assert_eq!(field(any(&word), json!("abc")), json!("abc"));
    assert_eq!(field(any(&word), json!("42")), json!(42));
    assert_eq!(field(any(&json!({"type": "string", "minLength": 3})), json!("42")), json!(42));
    assert_eq!(field(any(&json!({"type": "string", "minLength": 3})), json!("421")), json!("421"));
    assert_eq!(field(any(&json!({"type": "string", "maxLength": 1})), json!("42")), json!(42));
    // What fits nothing stays, so that the error speaks of what was said.
    assert_eq!(field(any(&word), json!("A1")), json!("A1"));
    // A pattern of another dialect, or one that explodes, tells nothing apart.
    for pattern in ["^(?=a)b", "((((a{9}){9}){9}){9}){9}", "("] {
        assert_eq!(field(any(&json!({"type": "string", "pattern": pattern})), json!("42")), json!("42"));
    }
    // So may be the kind of text that is meant.
    for (format, text) in [
        ("date", "2025-01-31"),
        ("date-time", "2025-01-31T12:00:00Z"),
        ("time", "12:00:00Z"),
        ("duration", "P1D"),
        ("uri", "urn:42"),
        ("email", "a@example.com"),
        ("ipv4", "10.0.0.1"),
        ("ipv6", "::1"),
        ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
    ] {
        let either = || any(&json!({"type": "string", "format": format}));
        assert_eq!(field(either(), json!("42")), json!(42), "{format}");
        assert_eq!(field(either(), json!(text)), json!(text), "{format}");
        let list = json!({"type": "array", "items": {"type": "string", "format": format}});
        let or_list = || json!({"anyOf": [{"type": "string", "format": format}, list]});
        let spelled = json!([text, text]).to_string();
        assert_eq!(field(or_list(), json!(spelled)), json!([text, text]), "{format}");
        assert_eq!(field(or_list(), json!(text)), json!(text), "{format}");
    }
    // A name of a machine may be a number, and nobody knows what a format of somebody's own is.
    for format in ["hostname", "uri-reference", "own"] {
        let either = any(&json!({"type": "string", "format": format}));
        assert_eq!(field(either, json!("42")), json!("42"), "{format}");
    }
}

#[test]
fn unions_of_objects_are_told_apart() {
    let schema = json!({"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}, "required": ["kind", "n"]},
        {"type": "object", "properties": {"kind": {"const": "b"}, "n": {"type": "string"}}, "required": ["kind", "n"]},
    ]});
    assert_eq!(field(schema.clone(), json!({"kind": "a", "n": "5"})), json!({"kind": "a", "n": 5}));
    assert_eq!(field(schema.clone(), json!({"kind": "b", "n": "5"})), json!({"kind": "b", "n": "5"}));
    assert_eq!(field(schema, json!("{\"kind\": \"a\", \"n\": \"5\"}")), json!({"kind": "a", "n": 5}));
}

#[test]
fn references_are_followed_and_cycles_end() {
    for (keyword, prefix) in [("$defs", "#/$defs/"), ("definitions", "#/definitions/")] {
        let schema = json!({
            "type": "object",
            "properties": {"v": {"$ref": format!("{prefix}N")}, "tree": {"$ref": format!("{prefix}T")}},
            keyword: {
                "N": {"type": "integer"},
                "T": {"type": "object", "properties": {
                    "n": {"$ref": format!("{prefix}N")},
                    "children": {"type": "array", "items": {"$ref": format!("{prefix}T")}},
                }},
            },
        });
        let found = coerced(&schema, json!({"v": "42", "tree": {"n": "1", "children": [{"n": "2"}]}}));
        assert_eq!(found, json!({"v": 42, "tree": {"n": 1, "children": [{"n": 2}]}}));
    }
    let endless = json!({"properties": {"v": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}});
    assert_eq!(coerced(&endless, json!({"v": "42"})), json!({"v": "42"}));
    let exploding = json!({"properties": {"v": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"allOf": [
        {"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}, {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}]}]}}});
    assert_eq!(coerced(&exploding, json!({"v": "42"})), json!({"v": "42"}));
    assert_eq!(field(json!({"$ref": "#/nowhere"}), json!("42")), json!("42"));
    assert_eq!(field(json!({"$ref": "https://example.com/x"}), json!("42")), json!("42"));
}

#[test]
fn containers_are_coerced_inside() {
    let items = |schema: Value| json!({"type": "array", "items": schema});
    assert_eq!(field(items(json!({"type": "boolean"})), json!(["true", "x"])), json!([true, "x"]));
    assert_eq!(
        field(items(items(json!({"type": "integer"}))), json!("[\"[1, '2']\", 3]")),
        json!([[1, 2], [3]])
    );
    let tuple = json!({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": {"type": "boolean"}});
    assert_eq!(field(tuple, json!(["1", "2", "true"])), json!([1, "2", true]));
    let tuple =
        json!({"type": "array", "items": [{"type": "integer"}], "additionalItems": {"type": "boolean"}});
    assert_eq!(field(tuple, json!(["1", "true"])), json!([1, true]));
    let headers = json!({"type": "object", "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": {"type": "boolean"}});
    assert_eq!(field(headers, json!({"x-a": "1", "b": "true"})), json!({"x-a": 1, "b": true}));
    let unclear = json!({"type": "object", "patternProperties": {"^[a-z]+\\d": {"type": "integer"}}, "additionalProperties": {"type": "boolean"}});
    assert_eq!(field(unclear, json!({"a1": "1", "b": "true"})), json!({"a1": "1", "b": "true"}));
    assert_eq!(
        field(json!({"type": "array"}), json!("[123456789012345678901234567890]")),
        json!(["123456789012345678901234567890"])
    );
    assert_eq!(
        field(json!({"type": "object"}), json!("{\"a\": 1, \"a\": 2}")),
        json!("{\"a\": 1, \"a\": 2}")
    );
    assert_eq!(field(json!({"type": "object"}), json!("{1: 2}")), json!("{1: 2}"));
}

#[test]
fn python_literals_are_python_or_nothing() {
    let list = || json!({"type": "array"});
    for (text, value) in [
        ("['a', \"b\"]", json!(["a", "b"])),
        ("[\"a\", None]", json!(["a", null])),
        ("('a',)", json!(["a"])),
        ("()", json!([])),
        ("[-1, +2, .5, 3.]", json!([-1, 2, 0.5, 3])),
        ("['it\\'s', '\\x41\\u0042\\n']", json!(["it's", "AB\n"])),
        ("[{'a': (1, 2)}]", json!([{"a": [1, 2]}])),
        (" [ ] ", json!([])),
    ] {
        assert!(same(&field(list(), json!(text)), &value), "{text}: {}", field(list(), json!(text)));
    }
    for text in [
        "[true, 'a']",
        "[True, null]",
        "[1,2,]",
        "['a',]",
        "(1)",
        "['a'",
        "['a' 'b']",
        "[NaN]",
        "[nan]",
        "[1e999]",
        "[0x1F]",
        "[1_000]",
        "[007]",
        "{'a', 'b'}",
        "[u'a']",
        "[a]",
        "1, 2",
        "[1][2]",
        "[]]",
        "[1 2]",
        "['a\nb']",
        "a,b",
    ] {
        assert_eq!(field(list(), json!(text)), json!([text]), "{text} must be wrapped");
    }
}

#[test]
fn an_attempt_that_fails_leaves_no_trace() {
    let schema = json!({"properties": {"v": {"anyOf": [
        {"type": "object", "properties": {"n": {"type": "integer"}, "m": {"type": "integer"}}, "required": ["n", "m", "z"]},
        {"type": "object", "properties": {"n": {"type": "boolean"}, "m": {"type": "boolean"}}, "required": ["n", "m", "y"]},
    ]}}});
    let mut arguments = json!({"v": {"n": "1", "m": "true"}});
    let repairs = coerce(&schema, arguments.as_object_mut().unwrap());
    assert!(repairs.is_empty(), "{repairs:?}");
    assert_eq!(arguments, json!({"v": {"n": "1", "m": "true"}}));
}

#[test]
fn large_and_deep_arguments_are_handled() {
    let schema = json!({"properties": {"v": {"type": "array", "items": {"type": "integer"}}}});
    let many: Vec<String> = (0..50_000).map(|n| n.to_string()).collect();
    let found = coerced(&schema, json!({"v": many}));
    assert_eq!(found["v"][49_999], json!(49_999));

    let endless = json!({"properties": {"v": {"$ref": "#/$defs/L"}}, "$defs": {"L": {"anyOf": [
        {"type": "array", "items": {"$ref": "#/$defs/L"}}, {"type": "array", "items": {"$ref": "#/$defs/L"}}, {"type": "integer"}]}}});
    let branches: Vec<Value> = (0..5_000).map(|n| json!({"type": "integer", "minimum": n})).collect();
    let heavy = json!({"properties": {"v": {"anyOf": branches}}});
    let text = "x".repeat(4 << 20);
    assert_eq!(coerced(&heavy, json!({"v": text})), json!({"v": text}));

    let deep = (0..120).fold(json!("x"), |inner, _| json!([inner]));
    coerced(&endless, json!({"v": deep}));
}
