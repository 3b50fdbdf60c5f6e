//! Integers of more than 64 bits, which would be rounded on their way through Hermes, as texts of the same digits.

use std::borrow::Cow;

use hermes_core::arguments::with_exact_integers;
use memchr::memmem;
use serde_json::Number;

/// Stands in every list of tools.
const SCHEMA: &[u8] = br#""inputSchema""#;

/// A message with all digits of its integers. Those of a schema are bounds, which a text cannot be.
pub(crate) fn with_all_digits(message: &[u8]) -> Cow<'_, [u8]> {
    match with_exact_integers(message) {
        Cow::Owned(exact) if memmem::find(message, SCHEMA).is_none() => Cow::Owned(exact),
        _ => Cow::Borrowed(message),
    }
}

/// The number that a text stands for where it is an integer of more than 64 bits, as near as a number can come to it.
pub(crate) fn long_integer(text: &str) -> Option<Number> {
    let is_alone = |exact: &[u8]| {
        exact.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) == Some(text.as_bytes())
    };
    let is_number = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    (is_number && is_alone(&with_exact_integers(text.as_bytes())))
        .then(|| Number::from_f64(text.parse().ok()?))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_integers_keep_their_digits_and_schemas_their_bounds() {
        let read =
            |text: &'static str| String::from_utf8(with_all_digits(text.as_bytes()).into_owned()).unwrap();
        let answer = r#"{"id":1,"result":{"structuredContent":{"id":123456789012345678901234567890,"n":7}}}"#;
        assert!(read(answer).contains(r#""id":"123456789012345678901234567890","n":7"#), "{}", read(answer));
        let list = r#"{"result":{"tools":[{"inputSchema":{"maximum":123456789012345678901234567890}}]}}"#;
        assert_eq!(read(list), list);
    }

    #[test]
    fn a_long_integer_is_known_by_its_text() {
        for text in ["18446744073709551617", "-9223372036854775809", "123456789012345678901234567890"] {
            assert!(long_integer(text).is_some(), "{text}");
        }
        for text in [
            "",
            "7",
            "-1",
            "18446744073709551615",
            "1.8e30",
            "12345678901234567890123x",
            "\"",
            "\"123456789012345678901\"",
        ] {
            assert_eq!(long_integer(text), None, "{text}");
        }
    }
}
