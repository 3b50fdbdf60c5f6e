//! Arguments as text. What strict JSON says is read as it stands; anything else is read with a note of
//! what was repaired, or refused. Never an invented value.

use crate::json::same;
use hermes_core::arguments::{parse, parse_json};
use hermes_core::redact::Redactor;
use serde_json::Value;

/// Stops at a promise that is broken.
pub fn holds(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let strict = serde_json::from_str::<Value>(text);
    let read = parse_json(text);
    match (&strict, &read) {
        (Ok(strict), Ok(read)) => assert!(agree(strict, read), "{text:?} was read as {read}"),
        (Ok(_), Err(error)) => {
            let refused = ["twice", "levels of nesting", "finite"];
            assert!(refused.iter().any(|why| error.message.contains(why)), "{text:?}: {error}");
        }
        // A byte order mark, one level deeper than serde_json goes, and integers beyond all floats, which
        // are kept as text, are all that is read beyond it.
        (Err(strict), Ok(_)) => {
            let huge = strict.to_string().contains("out of range");
            assert!(huge || text.starts_with('\u{feff}') || deep(text), "{text:?}");
        }
        (Err(_), Err(_)) => {}
    }
    let parsed = parse(&Value::String(text.to_owned()), &Redactor::none());
    match (&strict, &parsed) {
        (Ok(Value::Object(_)), Err(error)) => {
            let refused = ["twice", "levels of nesting", "finite"];
            assert!(refused.iter().any(|why| error.message.contains(why)), "{text:?}: {error}");
        }
        (Ok(strict @ Value::Object(_)), Ok(parsed)) => {
            assert!(agree(strict, &Value::Object(parsed.arguments.clone())), "{text:?}");
        }
        (Err(_), Ok(parsed)) => {
            assert!(
                !parsed.notes.is_empty() || text.starts_with('\u{feff}') || deep(text) || blanks(text),
                "{text:?}"
            );
        }
        _ => {}
    }
    if let Ok(parsed) = parsed {
        // What was read is JSON, and reads back the same.
        let again = serde_json::to_string(&parsed.arguments).unwrap();
        let again = parse(&Value::String(again), &Redactor::none()).unwrap();
        assert!(agree(&Value::Object(parsed.arguments), &Value::Object(again.arguments)));
    }
}

/// The same value; integers beyond 64 bits are kept as text, floats may be written as integers.
fn agree(strict: &Value, read: &Value) -> bool {
    match (strict, read) {
        (Value::Number(_), Value::String(digits)) => {
            digits.strip_prefix('-').unwrap_or(digits).bytes().all(|byte| byte.is_ascii_digit())
        }
        (Value::Array(strict), Value::Array(read)) => {
            strict.len() == read.len() && strict.iter().zip(read).all(|(strict, read)| agree(strict, read))
        }
        (Value::Object(strict), Value::Object(read)) => {
            strict.len() == read.len()
                && strict.iter().all(|(key, value)| read.get(key).is_some_and(|other| agree(value, other)))
        }
        _ => same(strict, read),
    }
}

fn deep(text: &str) -> bool {
    text.matches(['{', '[']).count() > 100
}

/// Blanks that Unicode knows and JSON does not are trimmed.
fn blanks(text: &str) -> bool {
    text.trim_matches([' ', '\t', '\n', '\r']).len() != text.trim().len()
}
