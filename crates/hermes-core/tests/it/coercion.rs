//! Coercion: the rows, then what the rows leave open.

use hermes_core::arguments::coerce;
use hermes_core::redact::Redactor;
use serde_json::{Value, json};

use crate::fixtures::{report, rows, same};

pub fn coerced(schema: &Value, mut arguments: Value) -> Value {
    coerce(schema, arguments.as_object_mut().expect("an object"));
    arguments
}

/// One field with this schema and this value.
pub fn field(schema: Value, value: Value) -> Value {
    coerced(&json!({"type": "object", "properties": {"v": schema}}), json!({"v": value}))["v"].clone()
}

#[test]
fn every_row_comes_out_as_expected() {
    let rows = rows(include_str!("../fixtures/coercion.jsonl"));
    let mut failures = Vec::new();
    for row in &rows {
        let found = coerced(&row["schema"], row["args"].clone());
        if !same(&found, &row["expected"]) {
            failures
                .push(format!("{}: {} gave {found}, expected {}", row["id"], row["args"], row["expected"]));
        }
    }
    report(&failures, rows.len());
}

#[test]
fn number_text_is_read_exactly() {
    let integer = || json!({"type": "integer"});
    for (text, value) in [
        ("9223372036854775807", json!(i64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("18446744073709551615", json!(u64::MAX)),
        ("9007199254740993", json!(9_007_199_254_740_993_i64)),
        ("9007199254740993.0", json!(9_007_199_254_740_993_i64)),
        ("900719925474099.3e1", json!(9_007_199_254_740_993_i64)),
        ("007", json!(7)),
        ("5.", json!(5)),
        ("1.5e1", json!(15)),
        ("-0.0", json!(0)),
        ("1E+2", json!(100)),
        ("100000000000000000000", json!(1e20)),
    ] {
        assert!(same(&field(integer(), json!(text)), &value), "{text}: {}", field(integer(), json!(text)));
        assert!(same(&field(json!({"type": "number"}), json!(text)), &value), "{text} as a number");
    }
    for text in [
        "18446744073709551617",
        "-9223372036854775809",
        "1e400",
        "1e-400",
        "--5",
        "+-5",
        "5-",
        ".",
        "e5",
        "1e",
        "1e+",
        "0b1",
        "1__0",
        "½",
        "٣",
        "1 000",
        "inf",
        "-Infinity",
        "1e99999999999999999999",
        "\"5\"",
        "true",
    ] {
        assert_eq!(field(integer(), json!(text)), json!(text), "{text} must stay text");
    }
    for text in ["18446744073709551617", "123456789012345678901234567890", "1e400", "NaN"] {
        assert_eq!(field(json!({"type": "number"}), json!(text)), json!(text), "{text} must stay text");
    }
    assert_eq!(field(json!({"type": "number"}), json!("0.1")), json!(0.1));
    assert_eq!(field(json!({"type": "number"}), json!("1e30")), json!(1e30));
}

#[test]
fn listed_values_are_recognised() {
    assert_eq!(field(json!({"enum": [1, 2]}), json!("9")), json!("9"));
    assert_eq!(field(json!({"enum": [true, false]}), json!("True")), json!(true));
    assert_eq!(field(json!({"enum": ["1", 1]}), json!("1")), json!("1"));
    assert_eq!(field(json!({"enum": [null, "a"]}), json!("null")), json!(null));
    assert_eq!(field(json!({"enum": ["null", null]}), json!("null")), json!("null"));
    assert_eq!(field(json!({"const": 5}), json!("5")), json!(5));
    assert_eq!(field(json!({"enum": [1.5, 2]}), json!("1.50")), json!(1.5));
    assert_eq!(field(json!({"enum": [1, 1.0]}), json!("1")), json!(1));
    assert_eq!(field(json!({"enum": [[1, 2]]}), json!("[1, 2]")), json!([1, 2]));
    assert_eq!(field(json!({"type": ["string", "integer"], "enum": ["auto", 1]}), json!("1")), json!(1));
    assert_eq!(
        field(json!({"type": ["string", "null"], "enum": ["null", "x"]}), json!("null")),
        json!("null")
    );
}

#[test]
fn odd_schemas_change_nothing() {
    for schema in [
        json!(true),
        json!(false),
        json!(null),
        json!("integer"),
        json!(5),
        json!([]),
        json!({}),
        json!({"type": "weird"}),
        json!({"type": ["weird"]}),
        json!({"type": {"a": 1}}),
        json!({"anyOf": "x"}),
        json!({"anyOf": []}),
        json!({"enum": 1}),
        json!({"enum": []}),
        json!({"properties": 1}),
    ] {
        for value in
            [json!("42"), json!("[1]"), json!("null"), json!(3.5), json!([1]), json!({"a": "1"}), json!(null)]
        {
            assert_eq!(field(schema.clone(), value.clone()), value, "{schema}");
        }
    }
    for root in [
        json!(null),
        json!(true),
        json!("object"),
        json!({"type": "array"}),
        json!({"properties": null}),
        json!({"type": "string"}),
    ] {
        assert_eq!(coerced(&root, json!({"v": "1"})), json!({"v": "1"}), "{root}");
    }
}

#[test]
fn repairs_name_the_place_and_stay_short() {
    let schema = json!({"type": "object", "properties": {"limit": {"type": "integer"}, "a/b": {"type": "array", "items": {"type": "boolean"}}}});
    let mut arguments = json!({"limit": "5", "a/b": ["x", "true"]});
    let repairs = coerce(&schema, arguments.as_object_mut().unwrap());
    let shown: Vec<String> = repairs.iter().map(|repair| repair.note(&Redactor::none())).collect();
    assert_eq!(shown, ["/limit: \"5\" -> 5", "/a~1b/1: \"true\" -> true"]);

    let long = format!("[{}]", vec!["\"é\\u0000\""; 50_000].join(","));
    let mut arguments = json!({"v": long});
    let repairs =
        coerce(&json!({"properties": {"v": {"type": "array"}}}), arguments.as_object_mut().unwrap());
    let note = repairs[0].note(&Redactor::none());
    assert!(note.chars().count() <= 130 && note.ends_with('…'), "{note}");
}
