//! Percent-encoded text read as what it stands for. Any character may be encoded or not, so no list of
//! written forms can hold them all.

use std::ops::Range;

/// A word with escapes such as `%41`, decoded.
pub(super) struct Decoded {
    pub(super) bytes: Vec<u8>,
    /// Where each byte starts in the original, and where the last one ends.
    starts: Vec<usize>,
}

/// Every word of the text that has an escape.
pub(super) fn words(text: &str) -> Vec<Decoded> {
    let bytes = text.as_bytes();
    let (mut words, mut floor, mut from) = (Vec::new(), 0, 0);
    while let Some(found) = bytes.get(from..).and_then(|rest| memchr::memchr(b'%', rest)) {
        let at = from + found;
        from = at + 1;
        if escape(bytes, at).is_none() {
            continue;
        }
        let before = bytes.get(floor..at).unwrap_or_default();
        let start = before.iter().rposition(u8::is_ascii_whitespace).map_or(floor, |blank| floor + blank + 1);
        let after = bytes.get(at..).unwrap_or_default();
        let end = after.iter().position(u8::is_ascii_whitespace).map_or(bytes.len(), |blank| at + blank);
        words.push(decode(bytes, start..end));
        (floor, from) = (end, end);
    }
    words
}

impl Decoded {
    /// Where a part lies in the original, if some of it was encoded. What was not needs no decoding to be
    /// found.
    pub(super) fn original(&self, part: Range<usize>) -> Option<Range<usize>> {
        let (start, end) = (*self.starts.get(part.start)?, *self.starts.get(part.end)?);
        (end - start != part.len()).then_some(start..end)
    }
}

fn decode(bytes: &[u8], word: Range<usize>) -> Decoded {
    let mut decoded = Decoded { bytes: Vec::new(), starts: Vec::new() };
    let mut at = word.start;
    while at < word.end {
        decoded.starts.push(at);
        let (byte, length) = match escape(bytes, at) {
            Some(byte) => (byte, 3),
            None => (bytes.get(at).copied().unwrap_or_default(), 1),
        };
        decoded.bytes.push(byte);
        at += length;
    }
    decoded.starts.push(at);
    decoded
}

/// The byte that the escape at this place stands for.
fn escape(bytes: &[u8], at: usize) -> Option<u8> {
    let [b'%', high, low] = bytes.get(at..at + 3)? else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(*high)? << 4 | digit(*low)?)
}
