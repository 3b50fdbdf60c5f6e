//! Integers of more than 64 bits, which would be rounded on their way through Hermes, as texts of the same digits.

use std::borrow::Cow;

use hermes_core::arguments::with_exact_integers;
use memchr::memmem;

/// Stands in every list of tools.
const SCHEMA: &[u8] = br#""inputSchema""#;

/// A message with all digits of its integers. Those of a schema are bounds, which a text cannot be.
pub(crate) fn with_all_digits(message: &[u8]) -> Cow<'_, [u8]> {
    match with_exact_integers(message) {
        Cow::Owned(exact) if memmem::find(message, SCHEMA).is_none() => Cow::Owned(exact),
        _ => Cow::Borrowed(message),
    }
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
}
