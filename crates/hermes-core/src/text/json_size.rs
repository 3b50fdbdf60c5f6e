//! How long something is as JSON text, without writing that text.

use std::fmt::Write;

use pulp::NullaryFnOnce;
use serde_json::Value;

/// A byte of text becomes at most this many characters of JSON.
pub const MOST_JSON_CHARS: usize = 6;

/// Sums of this many bytes fit into a byte, and it is a whole number of vectors: the compiler counts many bytes at
/// once.
const STRIDE: usize = 32;
const _: () = assert!(STRIDE * MOST_JSON_CHARS <= u8::MAX as usize);
/// The same for bytes that count for one at most.
const LONG_STRIDE: usize = 224;

/// How many characters `text` takes inside a JSON string.
pub fn json_chars(text: &str) -> usize {
    let (strides, rest) = text.as_bytes().as_chunks::<STRIDE>();
    let whole: usize = strides.iter().map(|stride| usize::from(sum(stride))).sum();
    whole + usize::from(sum(rest))
}

#[inline(always)]
fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().map(|byte| chars_of(*byte)).sum()
}

fn chars_of(byte: u8) -> u8 {
    let is = u8::from;
    let short = is(byte == b'\n') + is(byte == b'\r') + is(byte == b'\t') + is(byte == 8) + is(byte == 12);
    let quoted = is(byte == b'"') + is(byte == b'\\');
    // A continuation byte belongs to a character that was counted.
    let counted = is(byte & 0xc0 != 0x80);
    counted + quoted + 5 * is(byte < 0x20) - 4 * short
}

/// Whether `value` has at most `limit` characters as compact JSON. Most do by far, which a rough count shows.
pub fn json_fits(value: &Value, limit: usize) -> bool {
    most_json_len(value) <= limit || json_len(value) <= limit
}

/// At least as many characters as `value` has as compact JSON.
fn most_json_len(value: &Value) -> usize {
    match value {
        Value::String(text) => most_json_chars(text) + 2,
        Value::Array(items) => enclosed(items.iter().map(most_json_len)),
        Value::Object(fields) => {
            enclosed(fields.iter().map(|(name, value)| most_json_chars(name) + 3 + most_json_len(value)))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => json_len(value),
    }
}

/// Whether `text` takes at most `limit` characters inside a JSON string.
pub fn json_chars_fit(text: &str, limit: usize) -> bool {
    most_json_chars(text) <= limit || json_chars(text) <= limit
}

/// Every byte that is not written as it is, counted as the longest there is.
fn most_json_chars(text: &str) -> usize {
    text.len() + (MOST_JSON_CHARS - 1) * pulp::Arch::new().dispatch(Escaped(text.as_bytes()))
}

/// Counts with the widest vectors that the processor has: every result is counted, and most are long.
struct Escaped<'a>(&'a [u8]);

impl NullaryFnOnce for Escaped<'_> {
    type Output = usize;

    #[inline(always)]
    fn call(self) -> usize {
        let (strides, rest) = self.0.as_chunks::<LONG_STRIDE>();
        let mut count = usize::from(escaped(rest));
        for stride in strides {
            count += usize::from(escaped(stride));
        }
        count
    }
}

#[inline(always)]
fn escaped(bytes: &[u8]) -> u8 {
    let mut count = 0;
    for byte in bytes {
        count += u8::from((*byte < 0x20) | (*byte == b'"') | (*byte == b'\\'));
    }
    count
}

/// How many characters `value` has as compact JSON.
pub fn json_len(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(true) => 4,
        Value::Bool(false) => 5,
        Value::Number(number) => {
            let mut count = Count(0);
            // Counting cannot fail.
            let _ = write!(count, "{number}");
            count.0
        }
        Value::String(text) => json_chars(text) + 2,
        Value::Array(items) => enclosed(items.iter().map(json_len)),
        Value::Object(fields) => {
            enclosed(fields.iter().map(|(name, value)| json_chars(name) + 3 + json_len(value)))
        }
    }
}

/// Brackets around the parts and commas between them.
fn enclosed(parts: impl ExactSizeIterator<Item = usize>) -> usize {
    2 + parts.len().saturating_sub(1) + parts.sum::<usize>()
}

struct Count(usize);

impl Write for Count {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_as_long_as_serde_writes_them() {
        let value = json!({
            "a\n": [null, true, false, 1, -2.5e300, u64::MAX, [], {}, "é\u{1}\u{8}\u{c}\t\"\\"],
            "": {"x": [[]]},
        });
        for value in [&value, &value["a\n"], &value[""]] {
            assert_eq!(json_len(value), value.to_string().chars().count());
        }
    }

    proptest! {
        #[test]
        fn texts_are_as_long_as_serde_writes_them(text in any::<String>()) {
            let written = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(json_chars(&text) + 2, written.chars().count());
            prop_assert!(json_chars(&text) <= text.len() * MOST_JSON_CHARS);
            prop_assert!(json_chars(&text) <= most_json_chars(&text));
            let value = Value::String(text);
            let length = json_len(&value);
            prop_assert!(json_fits(&value, length) && !json_fits(&value, length - 1));
        }
    }
}
