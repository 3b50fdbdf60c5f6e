//! Arguments from text: what is repaired, and what is refused.

use hermes_core::arguments::{self, Parsed};
use hermes_core::redact::Redactor;
use hermes_core::{ErrorCode, ToolError};
use serde_json::{Value, json};

fn parse(raw: &Value) -> Result<Parsed, ToolError> {
    arguments::parse(raw, &Redactor::none())
}

fn read(text: &str) -> Value {
    Value::Object(parse(&json!(text)).unwrap_or_else(|error| panic!("{text:?}: {error}")).arguments)
}

fn notes(text: &str) -> usize {
    parse(&json!(text)).unwrap().notes.len()
}

fn refused(text: &str) -> String {
    match parse(&json!(text)) {
        Ok(parsed) => panic!("{text:?} was read as {:?}", parsed.arguments),
        Err(error) => {
            assert_eq!(error.code, ErrorCode::InvalidArgument);
            assert!(error.message.contains("not run"), "{}", error.message);
            assert!(error.hint.is_some());
            error.message
        }
    }
}

#[test]
fn objects_and_nothing_need_no_parsing() {
    assert_eq!(parse(&json!({"a": "1"})).unwrap().arguments, *json!({"a": "1"}).as_object().unwrap());
    assert!(parse(&json!(null)).unwrap().arguments.is_empty());
    for value in [json!([1]), json!(5), json!(true)] {
        assert!(parse(&value).is_err());
    }
}

#[test]
fn strict_json_is_read_without_notes() {
    for text in [
        "{}",
        "{\"a\":1}",
        " {\"a\": [1, 2.5, -3e2, true, false, null, \"x\\n\\u00e9\\ud83d\\ude00\\/\"]} ",
        "{\"\": {}}",
        "{\"a\": 18446744073709551615, \"b\": -9223372036854775808}",
        "{\"a\": 100000000000000000000}",
    ] {
        assert_eq!(read(text), serde_json::from_str::<Value>(text).unwrap(), "{text}");
        assert_eq!(notes(text), 0, "{text}");
    }
}

#[test]
fn lossless_repairs_are_made_and_noted() {
    for (text, expected) in [
        ("", json!({})),
        (" \n\t", json!({})),
        ("null", json!({})),
        ("```json\n{\"a\": 1}\n```", json!({"a": 1})),
        ("```\n{\"a\": 1}\n```", json!({"a": 1})),
        ("```json {\"a\": \"```\"} ```", json!({"a": "```"})),
        ("{\"a\": \"x\ny\tz\"}", json!({"a": "x\ny\tz"})),
        ("{\"a\": [1, 2,], }", json!({"a": [1, 2]})),
        ("{'a': True, 'b': None, 'c': 'it\\'s'}", json!({"a": true, "b": null, "c": "it's"})),
        ("{'a': true}", json!({"a": true})),
        ("{\"a\": ('x', 1)}", json!({"a": ["x", 1]})),
        ("\"{\\\"a\\\": 1}\"", json!({"a": 1})),
        ("{\"a\": 123456789012345678901234567890}", json!({"a": "123456789012345678901234567890"})),
        ("{\"re\": \"\\d+\\.\"}", json!({"re": "\\d+\\."})),
        ("{\"a\": \"it\\'s\"}", json!({"a": "it's"})),
    ] {
        assert_eq!(read(text), expected, "{text:?}");
        assert!(notes(text) > 0, "{text:?} must be noted");
    }
    assert_eq!(read("\u{feff}{\"a\": 1}"), json!({"a": 1}));
}

#[test]
fn what_would_be_guessed_is_refused() {
    for text in [
        "{\"a\": 1",
        "{\"a\": [1, 2",
        "{\"a\": \"x",
        "{\"a\"",
        "{\"a\":",
        "{",
        "{\"a\": tru",
        "{\"a\": 1.",
        "{\"a\": \"\\u12",
        "{\"a\": \"x\\",
        "{'a': 'x",
        "{\"a\": 1,",
        "```json\n{\"a\": 1",
    ] {
        assert!(refused(text).contains("cut off"), "{text:?}: {}", refused(text));
    }
    for text in ["{\"a\":1}{\"b\":2}", "{\"a\":1}\n{\"b\":2}", "{} []"] {
        assert!(refused(text).contains("second value"), "{text:?}: {}", refused(text));
    }
    for text in [
        "[1]",
        "5",
        "\"text\"",
        "true",
        "hello",
        "{\"a\": NaN}",
        "{\"a\": -Infinity}",
        "{\"a\": 1e999}",
        "{a: 1}",
        "{\"a\" 1}",
        "{\"a\": 1}}",
        "{,}",
        "{\"a\": 01}",
        "{\"a\": +-1}",
        "{\"a\": 0x1}",
        "{\"a\": \"\\ud800\"}",
        "{\"a\": \"\\x41\"}",
        "{\"p\": \"C:\\dir\\new\"}",
        "{\"p\": \"C:\\users\"}",
        "Here: ```json\n{}\n```",
        "\"\\\"{}\\\"\"",
        "{1: 2}",
        "{\"a\": undefined}",
    ] {
        refused(text);
    }
}

#[test]
fn duplicate_keys_are_refused_at_any_depth() {
    for text in ["{\"a\": 1, \"a\": 1}", "{\"x\": [{\"a\": 1, \"\\u0061\": 2}]}", "{'a': 1, \"a\": 2}"] {
        let message = refused(text);
        assert!(message.contains("\"a\" twice"), "{message}");
    }
}

#[test]
fn errors_say_where_and_what() {
    assert_eq!(
        refused("{\"é\": 1,\n \"b\" 2}"),
        "the arguments are not valid JSON: at character 15 (line 2, column 6) expected ':' after the key, found \"2}\". \
         The tool was not run."
    );
    let message = refused("```json\n{\"a\": \"x\n```");
    assert!(message.contains("character") && message.contains("closing quote"), "{message}");
}

#[test]
fn nesting_is_bounded() {
    let deep = |levels: usize| format!("{{\"a\": {}{}}}", "[".repeat(levels), "]".repeat(levels));
    assert!(parse(&json!(deep(100))).is_ok());
    assert!(refused(&deep(200)).contains("levels of nesting"));
    refused(&"[".repeat(1_000_000));
    refused(&"{\"a\":".repeat(1_000_000));
    refused(&"(".repeat(1_000_000));
}
