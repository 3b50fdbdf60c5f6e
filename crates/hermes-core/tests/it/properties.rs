//! Properties that hold for every input, and small case counts to look for the exceptions.

use hermes_core::arguments::{coerce, example, field_as_written, parse, parse_json};
use hermes_core::names::{nearest, normalise as normal_name, repair};
use hermes_core::redact::Redactor;
use hermes_core::schema::{Provider, normalise, surely_fits};
use hermes_core::text::{ERROR_PREFIX, head_tail, sanitise_error, visible};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::fixtures::same;
use crate::generators::{document, hostile_text, object, tangled_document, tangled_schema, value};

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
            prop_assert!(repair.note(&Redactor::none()).chars().count() <= 61 + 160 + 61 + 8);
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
            let parsed = parse(&json!(text), &Redactor::none()).unwrap();
            prop_assert!(parsed.notes.is_empty());
            let parsed = Value::Object(parsed.arguments);
            prop_assert!(same(&parsed, &arguments), "{} became {}", arguments, parsed);
        }
    }

    #[test]
    fn a_field_as_written_is_what_is_read_there(
        fields in prop::collection::vec(("[ab\"]{0,2}|id", value()), 0..4),
        cut in 0_usize..200,
    ) {
        let fields = object(fields);
        for text in [fields.to_string(), serde_json::to_string_pretty(&fields).unwrap()] {
            let written = field_as_written(&text, "id");
            prop_assert_eq!(written.is_some(), fields.get("id").is_some(), "{}", text);
            if let (Some(written), Some(value)) = (written, fields.get("id")) {
                prop_assert!(same(&parse_json(written).unwrap(), value), "{} in {}", written, text);
            }
            // Whatever is cut off behind it, it is all of it or nothing.
            let part = text.get(..text.floor_char_boundary(cut.min(text.len()))).unwrap();
            prop_assert!(field_as_written(part, "id").is_none_or(|part| Some(part) == written), "{}", part);
        }
    }

    #[test]
    fn parsing_never_invents_arguments(text in "[\\[\\]{}(),:'\"\\\\a1tTnN. \n-]{0,24}") {
        let parsed = parse(&json!(text), &Redactor::none());
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
    fn normalised_schemas_are_fixed_points(schema in prop_oneof![document(), tangled_document()]) {
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
    fn schemas_that_surely_fit_do(schema in prop_oneof![document(), tangled_document(), tangled_schema()]) {
        for provider in Provider::ALL {
            // Who asks for most is asked for all: what fits there fits everywhere.
            prop_assert!(!surely_fits(&schema, Provider::Anthropic) || surely_fits(&schema, provider));
            if surely_fits(&schema, provider) {
                prop_assert!(normalise(&schema, provider).is_ok(), "{} for {}", schema, provider);
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
