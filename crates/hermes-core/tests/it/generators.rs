//! Arbitrary arguments, schemas and texts, biased towards what matters here.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Text that is likely to mean something to the functions here.
pub fn telling_text() -> impl Strategy<Value = String> {
    prop_oneof!["[ -~]{0,12}", "\\PC{0,8}", prop::sample::select(telling_texts()),]
}

fn telling_texts() -> Vec<String> {
    serde_json::from_str(include_str!("../fixtures/telling_texts.json")).unwrap()
}

pub fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(Value::from),
        telling_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[abc]", inner), 0..4).prop_map(object),
        ]
    })
}

pub fn object(fields: Vec<(String, Value)>) -> Value {
    Value::Object(fields.into_iter().collect::<Map<_, _>>())
}

/// Schemas: mostly sound, sometimes not schemas at all.
pub fn schema() -> impl Strategy<Value = Value> {
    let name = || {
        prop::sample::select(vec![
            "string", "integer", "number", "boolean", "null", "array", "object", "int", "weird",
        ])
    };
    let leaf = prop_oneof![
        name().prop_map(|name| json!({"type": name})),
        prop::collection::vec(name(), 0..4).prop_map(|names| json!({"type": names, "description": "d"})),
        name().prop_map(Value::from),
        value().prop_map(|value| json!({"const": value})),
        prop::collection::vec(value(), 0..3).prop_map(|values| json!({"enum": values})),
        prop::sample::select(vec!["#/$defs/A", "#/$defs/B", "#", "#/nowhere"])
            .prop_map(|r| json!({"$ref": r, "default": 1})),
        any::<bool>().prop_map(Value::from),
        (name(), any::<i8>())
            .prop_map(|(name, n)| json!({"type": name, "minimum": n, "exclusiveMinimum": n % 2 == 0})),
        Just(json!({})),
        Just(json!(null)),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let many = || prop::collection::vec(inner.clone(), 0..4);
        let named = || prop::collection::vec(("[abc]", inner.clone()), 0..4).prop_map(object);
        prop_oneof![
            (named(), prop::collection::vec("[abcd]", 0..3))
                .prop_map(|(p, r)| json!({"type": "object", "properties": p, "required": r})),
            named().prop_map(|p| json!({"properties": p, "additionalProperties": "string"})),
            (inner.clone(), named()).prop_map(
                |(a, p)| json!({"type": "object", "additionalProperties": a, "patternProperties": p})
            ),
            inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            many().prop_map(|items| json!({"type": "array", "items": items, "additionalItems": true})),
            many().prop_map(|items| json!({"type": "array", "prefixItems": items})),
            many().prop_map(|branches| json!({"anyOf": branches, "default": null, "title": "t"})),
            many().prop_map(|branches| json!({"oneOf": branches, "type": ["string", "integer", "null"]})),
            many().prop_map(|branches| json!({"allOf": branches, "anyOf": branches})),
            (inner.clone(), many()).prop_map(|(other, mut branches)| {
                branches.push(json!({"type": "null"}));
                json!({"anyOf": branches, "oneOf": [other, {"type": "null"}], "nullable": true})
            }),
            (many(), named())
                .prop_map(|(branches, d)| json!({"anyOf": branches, "dependencies": d, "not": "object"})),
        ]
    })
}

pub fn document() -> impl Strategy<Value = Value> {
    (schema(), schema(), schema()).prop_map(|(mut root, a, b)| {
        if let Value::Object(rules) = &mut root {
            rules.insert("$defs".to_owned(), json!({"A": a, "B": b}));
        }
        root
    })
}

/// Schemas whose keywords do not know of each other: unions in unions, beside type lists and references,
/// under fields and definitions.
pub fn tangled_document() -> impl Strategy<Value = Value> {
    let named = || prop::collection::vec(("[abc]", tangled_schema()), 0..3);
    (tangled_schema(), named(), named()).prop_map(|(mut root, definitions, defs)| {
        if let Value::Object(rules) = &mut root {
            rules.insert("definitions".to_owned(), object(definitions));
            rules.insert("$defs".to_owned(), object(defs));
        }
        root
    })
}

pub fn tangled_schema() -> impl Strategy<Value = Value> {
    let rule = |keyword: &'static str, rule: BoxedStrategy<Value>| {
        rule.prop_map(move |rule| (keyword.to_owned(), rule)).boxed()
    };
    let names = prop::sample::select(vec!["string", "integer", "null", "null", "array", "object"]);
    let references = vec!["#", "#/$defs/a", "#/definitions/b", "#/definitions/c", "#/nowhere"];
    let plain = prop::strategy::Union::new([
        rule("type", names.clone().prop_map(Value::from).boxed()),
        rule("type", prop::collection::vec(names, 0..4).prop_map(Value::from).boxed()),
        rule("$ref", prop::sample::select(references).prop_map(Value::from).boxed()),
        rule("default", value().boxed()),
        rule("nullable", any::<bool>().prop_map(Value::from).boxed()),
        rule("enum", prop::collection::vec(value(), 0..3).prop_map(Value::from).boxed()),
        rule("required", prop::collection::vec("[abcd]", 0..3).prop_map(Value::from).boxed()),
        rule("description", Just(Value::from("d")).boxed()),
        rule("minimum", any::<i8>().prop_map(Value::from).boxed()),
        rule("exclusiveMinimum", any::<bool>().prop_map(Value::from).boxed()),
    ])
    .boxed();
    let leaf = prop_oneof![
        8 => prop::collection::vec(plain.clone(), 0..3).prop_map(object),
        1 => value(),
    ];
    leaf.prop_recursive(5, 48, 4, move |inner| {
        let many = || prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from).boxed();
        let named = || prop::collection::vec(("[abc]", inner.clone()), 0..3).prop_map(object).boxed();
        let or_null = || inner.clone().prop_map(|schema| json!([schema, {"type": "null"}])).boxed();
        let nested = prop::strategy::Union::new([
            rule("anyOf", many()),
            rule("anyOf", or_null()),
            rule("oneOf", many()),
            rule("oneOf", or_null()),
            rule("allOf", many()),
            rule("items", many()),
            rule("items", inner.clone().boxed()),
            rule("prefixItems", many()),
            rule("properties", named()),
            rule("definitions", named()),
            rule("dependencies", named()),
            rule("additionalProperties", inner.clone().boxed()),
            rule("not", inner.clone().boxed()),
        ]);
        prop::collection::vec(prop_oneof![plain.clone(), nested], 0..5).prop_map(object)
    })
}

pub fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "<",
            ">",
            "/",
            "sys",
            "tem",
            "system",
            "<system",
            "</",
            "user",
            " ",
            "\n",
            "```",
            "`",
            "json",
            "[",
            "]",
            "INST",
            "[TOOL_ERROR]",
            "<![CDATA[",
            "]]>",
            "<|",
            "|>",
            "im_start",
            "\u{1b}[31m",
            "\u{1b}",
            "\0",
            "\r",
            "<s>",
            "<<",
            "SYS",
            ">>",
            "=",
            "x",
            "é",
            "\u{9b}",
            "tool_response",
            "antml:",
            "｜",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,3}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}
