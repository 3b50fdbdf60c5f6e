//! Encoded text that a program broke into lines of whatever length, read as if it had not. Before and behind it there
//! may be what programs put there: an indentation, a label, a line number, quotes.

use std::ops::Range;

use super::joined::Joined;
use super::kinds::Kinds;
use super::traces::{GRAM, Traces};

/// What may stand behind the encoded part of a line, and how much of it.
const BEHIND: &[u8] = b"\r \t\"'\\,|";
const MOST_BEHIND: usize = 4;

/// Runs of lines around every break that a secret may go over.
pub(super) fn runs(text: &str, kinds: &Kinds, traces: &Traces) -> Vec<Joined> {
    let mut runs = Vec::new();
    let bytes = text.as_bytes();
    let (mut start, mut floor) = (0, 0);
    for end in kinds.breaks().chain([bytes.len()]) {
        // Lines that a run has taken along.
        if end < start {
            continue;
        }
        // Of most lines the last word is too short for a trace, and where it begins need not be looked for.
        let is_hot = word_end(bytes, start..end, GRAM).is_some_and(|word_end| {
            let length = kinds.encoded_before(word_end);
            length >= GRAM && is_hot(bytes, word_end - length..word_end, traces)
        });
        if is_hot && floor < bytes.len() {
            let mut run = Joined::default();
            for piece in before(bytes, floor..start, kinds, traces) {
                add(&mut run, text, piece);
            }
            floor = follow(&mut run, text, start, kinds, traces);
            runs.extend(run.has_several().then_some(run));
        }
        start = end.max(floor) + 1;
    }
    runs
}

fn is_hot(bytes: &[u8], piece: Range<usize>, traces: &Traces) -> bool {
    bytes.get(piece).is_some_and(|piece| traces.may_be_broken_beside(piece))
}

fn add(run: &mut Joined, text: &str, piece: Range<usize>) {
    run.add(text.get(piece.clone()).unwrap_or_default(), piece);
}

/// The pieces of the lines before, as far back as a form can reach.
fn before(bytes: &[u8], lines: Range<usize>, kinds: &Kinds, traces: &Traces) -> Vec<Range<usize>> {
    let (mut pieces, mut length, mut end) = (Vec::new(), 0, lines.end);
    while length < traces.longest && end > lines.start {
        let last = end - 1;
        let rest = bytes.get(lines.start..last).unwrap_or_default();
        let start = memchr::memrchr(b'\n', rest).map_or(lines.start, |at| lines.start + at + 1);
        let Some(piece) = piece(bytes, start..last, kinds) else { break };
        length += piece.len();
        pieces.push(piece);
        end = start;
    }
    pieces.reverse();
    pieces
}

/// Adds the line that starts here and those that follow, until no form can go on; answers with the end of the last.
fn follow(run: &mut Joined, text: &str, mut start: usize, kinds: &Kinds, traces: &Traces) -> usize {
    let bytes = text.as_bytes();
    let mut cold = 0;
    loop {
        let end = line_end(bytes, start);
        let Some(piece) = piece(bytes, start..end, kinds) else { return end };
        cold = if is_hot(bytes, piece.clone(), traces) { 0 } else { cold + piece.len() };
        add(run, text, piece);
        if cold > traces.longest || end >= bytes.len() {
            return end;
        }
        start = end + 1;
    }
}

fn line_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    memchr::memchr(b'\n', rest).map_or(bytes.len(), |at| start + at)
}

/// The last word of a line, if it could be encoded: what stands before it is a label.
fn piece(bytes: &[u8], line: Range<usize>, kinds: &Kinds) -> Option<Range<usize>> {
    let end = word_end(bytes, line, 1)?;
    let length = kinds.encoded_before(end);
    (length > 0).then_some(end - length..end)
}

/// Where the last word of a line ends, if the line has room for one of so many letters.
fn word_end(bytes: &[u8], line: Range<usize>, least: usize) -> Option<usize> {
    let content = bytes.get(line.clone())?;
    let behind = content.iter().rev().take(MOST_BEHIND).take_while(|byte| BEHIND.contains(byte)).count();
    Some(line.end - behind).filter(|end| end - line.start >= least)
}
