//! JSON of other programs: what a tool, a plugin or a piece of code says. A number of more than 64 bits would be rounded on
//! the way; its digits are kept as text, as they are in arguments.

use std::borrow::Cow;

use serde_json::Value;

use super::number::Decimal;

/// An integer of fewer digits fits 64 bits.
const LONG: usize = 19;

/// The value of a JSON text with every digit of its integers.
pub fn exact_json(text: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(&with_exact_integers(text))
}

/// A JSON text whose integers of more than 64 bits are texts of the same digits, for readers of their own.
pub fn with_exact_integers(text: &[u8]) -> Cow<'_, [u8]> {
    // Of so many digits in a row one stands here.
    if !text.iter().skip(LONG - 1).step_by(LONG).any(u8::is_ascii_digit) {
        return Cow::Borrowed(text);
    }
    let mut quoted = Vec::new();
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        let length = match byte {
            b'"' => 1 + rest_of_string(after),
            b'-' | b'0'..=b'9' => 1 + after.iter().take_while(|byte| is_of_number(**byte)).count(),
            _ => 1,
        };
        let (token, next) = rest.split_at_checked(length).unwrap_or((rest, &[]));
        // What stands in front of a colon would be a key by that, which it is not.
        let is_no_key = next.trim_ascii_start().first() != Some(&b':');
        let mark: &[u8] = if is_no_key && is_too_long(token) { b"\"" } else { b"" };
        quoted.extend_from_slice(mark);
        quoted.extend_from_slice(token);
        quoted.extend_from_slice(mark);
        rest = next;
    }
    Cow::Owned(quoted)
}

/// How long a string is from its first character to its closing quote.
fn rest_of_string(after: &[u8]) -> usize {
    let mut is_escaped = false;
    let end = after.iter().position(|byte| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    });
    end.map_or(after.len(), |end| end + 1)
}

fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-')
}

fn is_too_long(token: &[u8]) -> bool {
    if token.len() < LONG || matches!(token, [b'"' | b'0', ..] | [b'-', b'0', ..]) {
        return false;
    }
    let decimal = std::str::from_utf8(token).ok().and_then(Decimal::parse);
    decimal.is_some_and(|decimal| decimal.is_plain() && decimal.integer().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> String {
        exact_json(text.as_bytes()).map_or_else(|_| "error".to_owned(), |value| value.to_string())
    }

    #[test]
    fn integers_keep_their_digits() {
        for (text, value) in [
            ("18446744073709551617", r#""18446744073709551617""#),
            ("-9223372036854775809", r#""-9223372036854775809""#),
            ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            (r#"{"a":[1,123456789012345678901234567890]}"#, r#"{"a":[1,"123456789012345678901234567890"]}"#),
            (
                r#"{"a":"\\\"123456789012345678901234567890"}"#,
                r#"{"a":"\\\"123456789012345678901234567890"}"#,
            ),
            (r#"["\\",123456789012345678901234567890]"#, r#"["\\","123456789012345678901234567890"]"#),
            ("0123456789012345678901234567890", "error"),
            ("[123456789012345678901234567890", "error"),
            ("{123456789012345678901234567890 : 1}", "error"),
            ("\"123456789012345678901234567890", "error"),
        ] {
            assert_eq!(read(text), value, "{text}");
        }
    }

    proptest! {
        #[test]
        fn everything_else_is_read_as_ever(text in "[\\[\\]{}\",:\\\\ 0-9eE.+-]{0,60}") {
            let plain = serde_json::from_str::<Value>(&text).ok();
            let exact = exact_json(text.as_bytes()).ok();
            let has_long = text.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() >= LONG);
            prop_assert!(plain == exact || has_long, "{}", text);
        }
    }
}
