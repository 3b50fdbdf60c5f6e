//! Properties that hold for every input, and small case counts to look for the exceptions.

use hermes_core::arguments::{coerce, example, parse};
use hermes_core::names::{nearest, normalise as normal_name, repair};
use hermes_core::schema::{Provider, normalise};
use hermes_core::text::{ERROR_PREFIX, head_tail, sanitise_error, visible};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::fixtures::same;

/// Text that is likely to mean something to the functions here.
fn telling_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,12}",
        "\\PC{0,8}",
        prop::sample::select(vec![
            "42",
            "-0",
            "1e3",
            "3.0",
            "007",
            "9007199254740993",
            "true",
            "False",
            "null",
            "None",
            "[1, '2']",
            "{\"a\": \"1\"}",
            "{'a': None}",
            "('x',)",
            "[1,2,]",
            "NaN",
            "1e999",
            "",
            " ",
            "a,b",
            "https://a.com",
            "123456789012345678901234567890",
        ])
        .prop_map(str::to_owned),
    ]
}

fn value() -> impl Strategy<Value = Value> {
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

fn object(fields: Vec<(String, Value)>) -> Value {
    Value::Object(fields.into_iter().collect::<Map<_, _>>())
}

/// Schemas: mostly sound, sometimes not schemas at all.
fn schema() -> impl Strategy<Value = Value> {
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

fn document() -> impl Strategy<Value = Value> {
    (schema(), schema(), schema()).prop_map(|(mut root, a, b)| {
        if let Value::Object(rules) = &mut root {
            rules.insert("$defs".to_owned(), json!({"A": a, "B": b}));
        }
        root
    })
}

fn hostile_text() -> impl Strategy<Value = String> {
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

/// A token that must never reach a model, found in the plainest way: blanks beside brackets do not count.
fn framing_token(text: &str) -> Option<String> {
    let mut plain = text.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    for (spaced, tight) in [("< ", "<"), (" >", ">"), ("/ ", "/"), (" /", "/"), ("[ ", "["), (" ]", "]")] {
        plain = plain.replace(spaced, tight);
    }
    let tokens = [
        "<system>",
        "</system>",
        "<system/>",
        "<user>",
        "</user>",
        "<tool_response>",
        "<|im_start|>",
        "[inst]",
        "[/inst]",
        "<<sys>>",
        "<s>",
    ];
    tokens.iter().find(|token| plain.contains(**token)).map(|token| (*token).to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn coercion_is_idempotent_and_stays_json(schema in document(), arguments in prop::collection::vec(("[abc]", value()), 0..4)) {
        let mut once = arguments.into_iter().collect::<Map<_, _>>();
        let repairs = coerce(&schema, &mut once);
        let text = serde_json::to_string(&once).unwrap();
        prop_assert!(serde_json::from_str::<Value>(&text).is_ok());
        for repair in &repairs {
            prop_assert!(repair.from.chars().count() <= 61 && repair.to.chars().count() <= 61);
        }
        let mut twice = once.clone();
        coerce(&schema, &mut twice);
        prop_assert_eq!(&once, &twice, "{} {:?}", schema, repairs);
    }

    #[test]
    fn values_of_the_right_type_are_never_changed(value in value()) {
        let name = match &value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        for schema in [json!({"type": name}), json!({"type": [name, "integer", "array"]}), json!({"anyOf": [{"type": "boolean"}, {"type": name}]})] {
            let schema = json!({"properties": {"v": schema}});
            let mut arguments = Map::from_iter([("v".to_owned(), value.clone())]);
            let repairs = coerce(&schema, &mut arguments);
            prop_assert!(repairs.is_empty() && arguments["v"] == value, "{} {:?}", schema, repairs);
        }
    }

    #[test]
    fn integers_survive_as_text(number in any::<i64>()) {
        let mut arguments = Map::from_iter([("v".to_owned(), number.to_string().into())]);
        coerce(&json!({"properties": {"v": {"type": "integer"}}}), &mut arguments);
        prop_assert_eq!(&arguments["v"], &json!(number));
    }

    #[test]
    fn parsing_agrees_with_serde_json(arguments in prop::collection::vec(("\\PC{0,4}", value()), 0..4)) {
        let arguments = object(arguments);
        for text in [arguments.to_string(), serde_json::to_string_pretty(&arguments).unwrap()] {
            let parsed = parse(&json!(text)).unwrap();
            prop_assert!(parsed.notes.is_empty());
            let parsed = Value::Object(parsed.arguments);
            prop_assert!(same(&parsed, &arguments), "{} became {}", arguments, parsed);
        }
    }

    #[test]
    fn parsing_never_invents_arguments(text in "[\\[\\]{}(),:'\"\\\\a1tTnN. \n-]{0,24}") {
        let parsed = parse(&json!(text));
        let strict = serde_json::from_str::<Value>(&text);
        match (&strict, &parsed) {
            (Ok(Value::Object(_)), Err(error)) => prop_assert!(error.message.contains("twice"), "{}", text),
            (Err(_), Ok(parsed)) => prop_assert!(!parsed.notes.is_empty(), "{}", text),
            _ => {}
        }
    }

    #[test]
    fn examples_always_end(schema in document()) {
        example(&schema);
    }

    #[test]
    fn normalised_schemas_are_fixed_points(schema in document()) {
        for provider in Provider::ALL {
            if let Ok(once) = normalise(&schema, provider) {
                prop_assert_eq!(&once["type"], "object");
                prop_assert!(once["properties"].is_object());
                let twice = normalise(&once, provider);
                prop_assert_eq!(Ok(once.to_string()), twice.map(|twice| twice.to_string()), "{} for {}", schema, provider);
                prop_assert_eq!(normalise(&schema, provider), Ok(once));
            }
        }
    }

    #[test]
    fn sanitising_is_a_fixed_point(text in hostile_text()) {
        let once = sanitise_error(&text);
        let body = once.strip_prefix(ERROR_PREFIX).unwrap();
        prop_assert_eq!(sanitise_error(body), once.clone(), "{:?}", text);
        prop_assert_eq!(sanitise_error(&once), once.clone(), "{:?}", text);
        prop_assert!(!body.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{:?}", body);
        prop_assert_eq!(framing_token(body), None, "{:?} became {:?}", text, body);
        prop_assert!(body.chars().count() <= 2000);
    }

    #[test]
    fn visible_text_has_nothing_to_hide(text in "\\PC{0,20}|[\\x00-\\xff\u{200b}\u{202e}\u{feff}]{0,20}") {
        let shown = visible(&text);
        prop_assert!(!shown.contains(|c: char| c.is_control() && c != '\n' && c != '\t'));
        prop_assert_eq!(visible(&shown), shown);
    }

    #[test]
    fn excerpts_are_parts_of_the_text(text in "[a-zé\n]{0,80}", limit in 0_usize..100) {
        match head_tail(&text, limit) {
            None => prop_assert!(text.chars().count() <= limit),
            Some((head, tail)) => {
                prop_assert!(text.starts_with(head) && text.ends_with(tail));
                prop_assert!(head.chars().count() + tail.chars().count() <= limit);
            }
        }
    }

    #[test]
    fn names_are_handled_whatever_they_are(name in "\\PC{0,20}|[a-zA-Z_.-]{0,20}", valid in prop::collection::vec("[a-z_]{1,12}", 0..8)) {
        let names = || valid.iter().map(String::as_str);
        let normal = normal_name(&name);
        prop_assert_eq!(normal_name(&normal), normal);
        let repaired = repair(&name, names());
        prop_assert!(repaired.is_none_or(|repaired| valid.iter().any(|known| known == repaired)));
        prop_assert!(nearest(&name, names(), 3).len() <= 3);
    }
}
