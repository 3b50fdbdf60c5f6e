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
    let mut rough = Rough::default();
    let plainly = rough.written_plainly(value);
    rough.fits(plainly, limit, |rough| rough.is_settled_by(value)) || json_len(value) <= limit
}

/// Whether `text` takes at most `limit` characters inside a JSON string.
pub fn json_chars_fit(text: &str, limit: usize) -> bool {
    let mut rough = Rough { left: text.len(), ..Rough::default() };
    rough.fits(text.len(), limit, |rough| rough.is_settled_by_text(text)) || json_chars(text) <= limit
}

/// A count that ends when the rest could be nothing but escapes and would fit.
#[derive(Default)]
struct Rough {
    /// Bytes of text that were not looked at yet.
    left: usize,
    /// Bytes that are not written as they are.
    escaped: usize,
    /// So many of those fit.
    most: usize,
}

impl Rough {
    /// At least as many characters as `value` has as compact JSON if every byte of its texts is written as it is. They
    /// are to be looked at.
    fn written_plainly(&mut self, value: &Value) -> usize {
        let mut quoted = |text: &str| {
            self.left += text.len();
            text.len() + 2
        };
        match value {
            Value::String(text) => quoted(text),
            Value::Array(items) => enclosed(items.iter().map(|item| self.written_plainly(item))),
            Value::Object(fields) => {
                let names: usize = fields.keys().map(|name| quoted(name) + 1).sum();
                names + enclosed(fields.values().map(|value| self.written_plainly(value)))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => json_len(value),
        }
    }

    /// Whether what takes so much if it is written plainly fits with its escapes.
    fn fits(&mut self, plainly: usize, limit: usize, look: impl FnOnce(&mut Self) -> bool) -> bool {
        let Some(room) = limit.checked_sub(plainly) else { return false };
        // Every escape counts as the longest there is.
        self.most = room / (MOST_JSON_CHARS - 1);
        look(self) || self.escaped <= self.most
    }

    fn is_settled(&self) -> bool {
        self.escaped + self.left <= self.most
    }

    fn is_settled_by(&mut self, value: &Value) -> bool {
        self.is_settled()
            || match value {
                Value::String(text) => self.is_settled_by_text(text),
                Value::Array(items) => items.iter().any(|item| self.is_settled_by(item)),
                Value::Object(fields) => fields
                    .iter()
                    .any(|(name, value)| self.is_settled_by_text(name) || self.is_settled_by(value)),
                Value::Null | Value::Bool(_) | Value::Number(_) => false,
            }
    }

    fn is_settled_by_text(&mut self, text: &str) -> bool {
        self.is_settled()
            || text.as_bytes().chunks(AT_ONCE).any(|part| {
                self.escaped += pulp::Arch::new().dispatch(Escaped(part));
                self.left -= part.len();
                self.is_settled()
            })
    }
}

/// Bytes that are counted before it is seen whether that was enough.
const AT_ONCE: usize = 4 * 1024;

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
            let length = json_chars(&text);
            prop_assert!(json_chars_fit(&text, length) && (length == 0 || !json_chars_fit(&text, length - 1)));
        }

        #[test]
        fn what_fits_fits_to_the_character(text in any::<String>(), repeats in 1_usize..2_000) {
            let text = text.repeat(repeats);
            for value in [json!(text), json!({&text: [&text, 1], "a": null}), json!([{}, [&text], true])] {
                let length = json_len(&value);
                prop_assert!(json_fits(&value, length) && !json_fits(&value, length - 1));
                for more in [1, length / 3, 3 * length, 7 * length] {
                    prop_assert!(json_fits(&value, length + more));
                }
            }
        }
    }
}
