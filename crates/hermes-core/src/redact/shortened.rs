//! The one way to quote a part of what a model sent: redacted as a whole, then cut.
//!
//! Half a secret beside a cut is no form of it any more, so nothing that comes later could find it.

use serde_json::Value;

use super::Redactor;

const ELLIPSIS: char = '…';
/// How a marker begins, and how long one can be.
const OPENING: &str = "[REDACTED";
const MAX_MARKER: usize = 80;

/// The cut, or the end of the marker that it would fall into: half a marker does not say what was there.
fn behind_marker(clean: &str, cut: usize) -> usize {
    let open = clean.get(..cut).and_then(|before| before.rfind('['));
    let marker =
        open.and_then(|open| Some((open, clean.get(open..)?))).filter(|(_, rest)| rest.starts_with(OPENING));
    let end = marker.and_then(|(open, rest)| Some(open + rest.find(']').filter(|at| *at < MAX_MARKER)? + 1));
    end.filter(|end| *end > cut).unwrap_or(cut)
}

impl Redactor {
    /// The text without its secrets, and of that so many characters and a mark that there is more. A marker at
    /// the cut stays whole.
    pub fn shortened(&self, text: &str, most_chars: usize) -> String {
        let clean = self.redact_text(text);
        match clean.char_indices().nth(most_chars) {
            Some((cut, _)) => clean
                .get(..behind_marker(&clean, cut))
                .into_iter()
                .flat_map(str::chars)
                .chain([ELLIPSIS])
                .collect(),
            None => clean.into_owned(),
        }
    }

    /// The same of what stands from a place on. A secret around that place counts as beginning there.
    pub fn shortened_from(&self, text: &str, at: usize, most_chars: usize) -> String {
        let (clean, before) = (self.redact_text(text), self.redact_text(text.get(..at).unwrap_or_default()));
        let alike = clean.char_indices().zip(before.chars()).take_while(|((_, one), other)| one == other);
        let start = alike.last().map_or(0, |((index, one), _)| index + one.len_utf8());
        self.shortened(clean.get(start..).unwrap_or_default(), most_chars)
    }

    /// The same of a value as compact JSON.
    pub fn shortened_value(&self, value: &Value, most_chars: usize) -> String {
        let mut clean = value.clone();
        // By themselves first: escapes and quotes of the JSON text can hide what a string holds.
        self.redact_value(&mut clean);
        self.shortened(&clean.to_string(), most_chars)
    }

    /// The same of a JSON pointer, whose segments are spelt with escapes.
    pub fn shortened_pointer(&self, pointer: &str, most_chars: usize) -> String {
        let mut segments = pointer.split('/');
        let mut clean = segments.next().unwrap_or_default().to_owned();
        for segment in segments {
            let name = segment.replace("~1", "/").replace("~0", "~");
            clean.push('/');
            clean.push_str(&self.redact_text(&name).replace('~', "~0").replace('/', "~1"));
        }
        self.shortened(&clean, most_chars)
    }
}
