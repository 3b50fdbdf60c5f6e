//! Lines that are nearly JSON. Programs write what their language takes for it: half a character out of a file's name,
//! bytes of another encoding, numbers that are none, values nested deeper than anything reads. The call behind such an
//! answer has happened, and one odd place in it is not worth the rest. Nothing is guessed: what cannot be read is
//! replaced by something that says so, and a line that is broken in another way stays broken.

use std::borrow::Cow;

/// How deep a message may be nested. Readers take somewhat more, so that what is read can be passed on within something.
pub(crate) const MAX_DEPTH: usize = 100;
/// Stands in place of what is nested deeper.
pub(crate) const TOO_DEEP: &str = "[nested too deep to be read]";

/// What languages write for numbers that JSON has not.
const NO_NUMBERS: [&str; 3] = ["NaN", "Infinity", "-Infinity"];
/// What stands for half a character.
const REPLACEMENT: &[u8] = b"\\ufffd";

/// The line with what nobody can read replaced; none if there is nothing of that kind in it.
pub(crate) fn mended(line: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(line);
    let mut mending = Mending {
        rest: text.as_bytes(),
        out: Vec::with_capacity(text.len()),
        depth: 0,
        changed: matches!(text, Cow::Owned(_)),
    };
    while mending.step() {}
    mending.changed.then_some(mending.out)
}

struct Mending<'a> {
    rest: &'a [u8],
    out: Vec<u8>,
    depth: usize,
    changed: bool,
}

impl<'a> Mending<'a> {
    /// The next token. False at the end.
    fn step(&mut self) -> bool {
        match self.rest.first() {
            None => return false,
            Some(b'"') => self.string(),
            Some(b'{' | b'[') if self.depth == MAX_DEPTH => self.leave_out(),
            Some(b'{' | b'[') => {
                self.depth += 1;
                self.copy(1);
            }
            Some(b'}' | b']') => {
                self.depth = self.depth.saturating_sub(1);
                self.copy(1);
            }
            Some(byte) if is_bare(*byte) => self.bare(),
            Some(_) => self.copy(1),
        }
        true
    }

    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(count.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    fn copy(&mut self, count: usize) {
        let taken = self.take(count);
        self.out.extend_from_slice(taken);
    }

    fn replace(&mut self, count: usize, by: &[u8]) {
        self.take(count);
        self.out.extend_from_slice(by);
        self.changed = true;
    }

    /// A number, or one of the words that JSON has.
    fn bare(&mut self) {
        let length = self.rest.iter().position(|byte| !is_bare(*byte)).unwrap_or(self.rest.len());
        let word = std::str::from_utf8(self.rest.get(..length).unwrap_or_default()).unwrap_or_default();
        let beyond =
            || word.parse::<f64>().is_ok_and(f64::is_infinite) && word.contains(|c: char| c.is_ascii_digit());
        match NO_NUMBERS.contains(&word) || beyond() {
            true => self.replace(length, b"null"),
            false => self.copy(length),
        }
    }

    fn string(&mut self) {
        self.copy(1);
        loop {
            match self.rest {
                [] => return,
                [b'"', ..] => return self.copy(1),
                [b'\\', b'u', ..] => self.escaped(),
                [b'\\', ..] => self.copy(2),
                [control @ ..0x20, ..] => {
                    let escaped = format!("\\u{control:04x}");
                    self.replace(1, escaped.as_bytes());
                }
                plain => {
                    let special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..0x20);
                    self.copy(plain.iter().position(special).unwrap_or(plain.len()));
                }
            }
        }
    }

    /// A character by its number. Those beyond 16 bits have two, and one of them alone means nothing.
    fn escaped(&mut self) {
        match (unit(self.rest), self.rest.get(6..).and_then(unit)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => self.copy(12),
            (Some(0xd800..=0xdfff), _) => self.replace(6, REPLACEMENT),
            (Some(_), _) => self.copy(6),
            (None, _) => self.copy(2),
        }
    }

    /// A list or an object with all that is in it.
    fn leave_out(&mut self) {
        let (mut open, mut length, mut in_text, mut escaped) = (0usize, 0, false, false);
        for byte in self.rest {
            length += 1;
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_text => escaped = true,
                b'"' => in_text = !in_text,
                b'{' | b'[' if !in_text => open += 1,
                b'}' | b']' if !in_text => open = open.saturating_sub(1),
                _ => {}
            }
            if open == 0 {
                break;
            }
        }
        self.replace(length, format!("\"{TOO_DEEP}\"").as_bytes());
    }
}

fn is_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

/// The number in an escape at the beginning of this text.
fn unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(line: &[u8]) -> Option<Value> {
        serde_json::from_slice(&mended(line)?).ok()
    }

    #[test]
    fn what_programs_take_for_json_is_read() {
        for (line, expected) in [
            (
                &br#"{"a":"x\udcffy","b":"\ud83d\ude00","c":"\ud800"}"#[..],
                json!({"a": "x\u{fffd}y", "b": "😀", "c": "\u{fffd}"}),
            ),
            (br#"{"a":"\\ud800\ud800\ud83d\ude00"}"#, json!({"a": "\\ud800\u{fffd}😀"})),
            (b"{\"a\":\"caf\xe9\",\"b\":\"t\tt\"}", json!({"a": "caf\u{fffd}", "b": "t\tt"})),
            (
                br#"{"a":[NaN,Infinity,-Infinity,1e999,-1e999,1.5],"b":"NaN"}"#,
                json!({"a": [null, null, null, null, null, 1.5], "b": "NaN"}),
            ),
        ] {
            assert_eq!(read(line), Some(expected), "{}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn what_lies_too_deep_is_left_out_and_nothing_beside_it() {
        for depth in [MAX_DEPTH, 500, 500_000] {
            let deep = format!(
                r#"{{"a":{}"]\"}}"{},"b":[{{}},"x"]}}"#,
                "[{\"k\":".repeat(depth),
                "}]".repeat(depth)
            );
            let value = read(deep.as_bytes()).unwrap();
            assert_eq!(value["b"], json!([{}, "x"]));
            assert!(value["a"].to_string().contains(TOO_DEEP));
        }
    }

    #[test]
    fn what_is_well_or_broken_in_another_way_stays_as_it_is() {
        let fits = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
        for line in [
            r#"{"a":"\u00e9 \ud83d\ude00","b":[1,2.5e3,true,null]}"#,
            "{\"half\":",
            "hello",
            r#"{"a":01}"#,
            &fits,
        ] {
            assert_eq!(mended(line.as_bytes()), None, "{line}");
        }
    }
}
