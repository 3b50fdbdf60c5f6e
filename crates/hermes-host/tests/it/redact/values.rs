//! Whole values and errors.

use hermes_core::ToolError;
use hermes_core::redact::Redactor;
use serde_json::json;

fn redactor() -> Redactor {
    Redactor::new([
        ("TOKEN".to_owned(), "s3cr3t-value".to_owned()),
        ("PIN".to_owned(), "48151623".to_owned()),
    ])
}

#[test]
fn every_string_of_a_value_is_looked_at_keys_too() {
    let mut value = json!({
        "list": ["a", "s3cr3t-value", {"deep": "x s3cr3t-value y"}],
        "s3cr3t-value": 1,
        "x": 48151623,
        "password": "letmein99",
        "db": {"user_password": "required", "api_key": "${API_KEY1}", "nextPageToken": "abc123def456"},
        "fine": [1, 2.5, true, null, "text"],
    });
    redactor().redact_value(&mut value);
    let expected = json!({
        "list": ["a", "[REDACTED:TOKEN]", {"deep": "x [REDACTED:TOKEN] y"}],
        "[REDACTED:TOKEN]": 1,
        "x": "[REDACTED:PIN]",
        "password": "[REDACTED]",
        "db": {"user_password": "required", "api_key": "${API_KEY1}", "nextPageToken": "abc123def456"},
        "fine": [1, 2.5, true, null, "text"],
    });
    assert_eq!(value.to_string(), expected.to_string(), "order is kept");
    redactor().redact_value(&mut value);
    assert_eq!(value, expected, "twice");
}

#[test]
fn keys_that_become_the_same_keep_their_values() {
    let mut value = json!({"s3cr3t-value": 1, "[REDACTED:TOKEN]": 2});
    redactor().redact_value(&mut value);
    assert_eq!(value, json!({"[REDACTED:TOKEN]": 1, "[REDACTED:TOKEN]#2": 2}));
}

#[test]
fn an_error_says_nothing_secret_to_anybody() {
    let mut error = ToolError::internal("bad s3cr3t-value")
        .with_hint("not s3cr3t-value")
        .with_operator("url?x=s3cr3t-value")
        .with_field("url", "s3cr3t-value");
    redactor().redact_error(&mut error);
    assert!(!format!("{error:?}").contains("s3cr3t"));
    Redactor::none().redact_error(&mut error);
}
