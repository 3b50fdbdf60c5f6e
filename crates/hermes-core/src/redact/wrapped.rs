//! Encoded text that a program broke into lines, read as if it had not.

use std::ops::Range;

/// Programs that wrap encoded text break it at 60, 64 or 76 characters.
const MIN_LINE: usize = 48;

/// Any line of that length has a part of so many bytes that begins at a multiple of twice as many.
const BLOCK: usize = 16;
const _: () = assert!(MIN_LINE >= 3 * BLOCK - 1);

/// Lines of one encoded text, joined.
pub(super) struct Joined {
    pub(super) text: String,
    /// Where each line starts: in the joined text, and in the original.
    starts: Vec<(usize, usize)>,
}

/// Whether there can be an encoded line at all; nearly always there is none, and that is told quickly.
fn may_be_encoded(text: &[u8]) -> bool {
    text.chunks(2 * BLOCK).enumerate().any(|(number, part)| {
        // Most blocks have a blank, which is looked for in all bytes at once.
        part.first_chunk::<BLOCK>().is_some_and(|block| {
            block.iter().fold(true, |all, byte| all & (*byte > b' ')) && block.iter().copied().all(is_encoded)
        }) && run_around(text, number * 2 * BLOCK) >= MIN_LINE
    })
}

/// How many encoded characters stand together at a place: a long name or a path is no line of them.
fn run_around(text: &[u8], at: usize) -> usize {
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    let encoded = |byte: &&u8| is_encoded(**byte);
    before.iter().rev().take_while(encoded).count() + after.iter().take_while(encoded).count()
}

/// Every run of encoded lines that has more than one line. The lines may be numbered, as tools show them.
pub(super) fn runs(text: &str) -> Vec<Joined> {
    let mut runs = Vec::new();
    if !may_be_encoded(text.as_bytes()) {
        return runs;
    }
    let mut run = Joined { text: String::new(), starts: Vec::new() };
    let mut next = 0;
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    for end in ends.chain([text.len()]) {
        let line = text.get(next..end).unwrap_or_default();
        let number = number_before(line);
        let (offset, line) = (next + number, line.get(number..).unwrap_or_default());
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

/// The length of the line number that stands before a line, with its sign.
fn number_before(line: &str) -> usize {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match line.as_bytes().get(digits) {
        Some(b'|' | b':') if digits > 0 => digits + 1,
        _ => 0,
    }
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
