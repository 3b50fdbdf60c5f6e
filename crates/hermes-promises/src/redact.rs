//! Redaction: a known secret does not survive, plain or encoded; redacting twice changes nothing; text
//! without secrets stays as it is. The first line is the secret, the rest is the text around it.

use hermes_core::redact::Redactor;
use serde_json::{Value, json};

/// Shorter secrets are not looked for in encoded form.
const MIN_ENCODED: usize = 8;

/// Stops at a promise that is broken.
pub fn holds(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (secret, around) = text.split_once('\n').unwrap_or((&text, ""));
    let redactor = Redactor::new([("KEY".to_owned(), secret.to_owned())]);

    let once = redactor.redact_text(around).into_owned();
    assert_eq!(redactor.redact_text(&once), once, "secret {secret:?} in {around:?}");

    // Put the secret into the middle; what the marker itself spells is no leak.
    if secret.len() >= 4 && !"[REDACTED:KEY]".contains(secret) && !secret.contains("[REDACTED") {
        let mut written = vec![secret.to_owned()];
        if secret.len() >= MIN_ENCODED {
            written.push(secret.bytes().map(|byte| format!("{byte:02x}")).collect());
        }
        for form in written {
            let half = around.floor_char_boundary(around.len() / 2);
            let (before, after) = around.split_at(half);
            let clean = redactor.redact_text(&format!("{before} {form} {after}")).into_owned();
            assert!(!clean.contains(&form), "{form:?} survives in {clean:?}");
            let mut value =
                json!({"a": [form.as_str(), {"b": format!("{before}{form}")}], (form.as_str()): 1});
            redactor.redact_value(&mut value);
            assert!(!texts(&value).iter().any(|text| text.contains(&form)), "{form:?} survives in {value}");
        }
    }
    assert_eq!(Redactor::none().redact_text(around), around);
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => {
            fields.iter().flat_map(|(key, value)| std::iter::once(key.as_str()).chain(texts(value))).collect()
        }
        _ => Vec::new(),
    }
}
