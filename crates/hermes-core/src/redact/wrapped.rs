//! Encoded text that a program broke into lines, read as if it had not.

use std::ops::Range;

/// Programs that wrap encoded text break it at 60, 64 or 76 characters.
const MIN_LINE: usize = 48;

/// Lines of one encoded text, joined.
pub(super) struct Joined {
    pub(super) text: String,
    /// Where each line starts: in the joined text, and in the original.
    starts: Vec<(usize, usize)>,
}

/// Every run of encoded lines that has more than one line.
pub(super) fn runs(text: &str) -> Vec<Joined> {
    let mut runs = Vec::new();
    let mut run = Joined { text: String::new(), starts: Vec::new() };
    let mut next = 0;
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    for end in ends.chain([text.len()]) {
        let (offset, line) = (next, text.get(next..end).unwrap_or_default());
        next = end;
        if run.starts.is_empty() && line.len() < MIN_LINE {
            continue;
        }
        let content = line.trim_end_matches(['\n', '\r']);
        let open = !run.starts.is_empty();
        // The last line of a run may be short, but must be encoded text like the others.
        let encoded =
            (open || content.len() >= MIN_LINE) && !content.is_empty() && content.bytes().all(is_encoded);
        if encoded {
            run.starts.push((run.text.len(), offset));
            run.text.push_str(content);
        }
        if open && !(encoded && content.len() >= MIN_LINE) {
            let done = std::mem::replace(&mut run, Joined { text: String::new(), starts: Vec::new() });
            runs.extend((done.starts.len() > 1).then_some(done));
        }
    }
    runs.extend((run.starts.len() > 1).then_some(run));
    runs
}

impl Joined {
    /// Where a part of the joined text lies in the original, if it goes over a line break. A part within
    /// one line needs no joining to be found.
    pub(super) fn original(&self, part: Range<usize>) -> Option<Range<usize>> {
        let start = self.line_of(part.start)?;
        let end = self.line_of(part.end.checked_sub(1)?)?;
        (start != end).then_some(part.start - start.0 + start.1..part.end - end.0 + end.1)
    }

    fn line_of(&self, at: usize) -> Option<(usize, usize)> {
        let after = self.starts.partition_point(|(start, _)| *start <= at);
        self.starts.get(after.checked_sub(1)?).copied()
    }
}

/// The characters of base64 (both alphabets) and hex.
pub(super) fn is_encoded(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=')
}
