//! Hexadecimal digits in groups, as programs show bytes: with blanks, colons or `\x` between them, with offsets before
//! and the same bytes as letters behind, in either order of bytes.

use std::ops::Range;

use super::joined::Joined;
use super::kinds::Kinds;
use super::traces::{Traces, byte_of};

/// Every so many bytes a look is taken at as many.
const STEP: usize = 8;
/// How far around it two bytes side by side are looked for: `0x6b, 0x3a` needs room.
const AROUND: usize = 8;
const MIN_DIGITS: usize = 2;
/// How much may stand between groups.
const MOST_BETWEEN: usize = 6;
/// Digits of an offset.
const OFFSET: Range<usize> = 6..9;
/// Digits of a group in which the order of bytes may be turned round.
const WORDS: [usize; 3] = [4, 8, 16];

/// The groups of a line.
struct Groups {
    groups: Vec<Range<usize>>,
    /// Where the column ends that shows the same bytes as letters; nowhere if there is none.
    column: usize,
}

/// Runs of lines with groups in which a secret may be, each in both orders of bytes.
pub(super) fn runs(text: &str, kinds: &Kinds, traces: &Traces) -> Vec<Joined> {
    let bytes = text.as_bytes();
    let mut runs = Vec::new();
    let mut from = 0;
    while let Some((at, digits)) = kinds.eight_of_dump(from) {
        from = at + STEP;
        if !is_of_dump(bytes, at, digits) || !has_trace(bytes, at, traces) {
            continue;
        }
        let start = memchr::memrchr(b'\n', bytes.get(..at).unwrap_or_default()).map_or(0, |end| end + 1);
        let (lines, end) = lines_around(bytes, start, traces.longest);
        for swapped in [false, true] {
            runs.extend(join(text, &lines, swapped).filter(Joined::has_several));
        }
        from = end.max(from);
    }
    runs
}

/// Whether what stands here can be part of a dump, of which all bytes are that could be. Blanks alone are none, and
/// digits alone only where they are as many as one group has: the others are hashes and numbers.
fn is_of_dump(bytes: &[u8], at: usize, digits: usize) -> bool {
    digits >= MIN_DIGITS && (digits < STEP || WORDS.contains(&digits_around(bytes, at)))
}

fn is_digit(byte: &u8) -> bool {
    byte.is_ascii_hexdigit()
}

/// How many digits in a row this place belongs to; beyond the longest group they are not counted.
fn digits_around(bytes: &[u8], at: usize) -> usize {
    let most = WORDS.into_iter().max().unwrap_or_default() + 1;
    let (before, behind) = bytes.split_at_checked(at).unwrap_or_default();
    before.iter().rev().take(most).take_while(|byte| is_digit(byte)).count()
        + behind.iter().take(most).take_while(|byte| is_digit(byte)).count()
}

/// What may stand between groups, beside `0x`.
pub(super) const fn parts_groups(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b':' | b',' | b'-' | b'.' | b'\\' | b'x' | b'X' | b'"' | b'\'' | b'&' | b'#' | b';'
    )
}

/// Whether two bytes of a secret stand side by side near this place. Where the digits of a byte begin is not known, so
/// both are tried.
fn has_trace(bytes: &[u8], at: usize, traces: &Traces) -> bool {
    let near = bytes.get(at.saturating_sub(AROUND)..bytes.len().min(at + STEP + AROUND)).unwrap_or_default();
    [0, 1].into_iter().any(|mut place| {
        let mut last = None;
        while place + 1 < near.len() {
            let two = near.get(place..place + 2).unwrap_or_default();
            let byte = if matches!(two, b"0x" | b"0X") { None } else { byte_of(two) };
            if let (Some(first), Some(second)) = (last, byte)
                && traces.has_pair(first, second)
            {
                return true;
            }
            last = byte.or(last);
            place += if byte.is_some() { 2 } else { 1 };
        }
        false
    })
}

/// The groups of the line that starts here and of those around it, as far as a form can reach; and where the line ends.
fn lines_around(bytes: &[u8], start: usize, longest: usize) -> (Vec<Groups>, usize) {
    let line_end = |start: usize| {
        let rest = bytes.get(start..).unwrap_or_default();
        memchr::memchr(b'\n', rest).map_or(bytes.len(), |at| start + at)
    };
    let end = line_end(start);
    let mut lines = Vec::new();
    let (mut digits, mut upper) = (0, start);
    while digits < longest && upper > 0 {
        let last = upper - 1;
        upper = memchr::memrchr(b'\n', bytes.get(..last).unwrap_or_default()).map_or(0, |at| at + 1);
        let Some(groups) = groups(bytes, upper..last) else { break };
        digits += groups.digits();
        lines.push(groups);
    }
    lines.reverse();
    lines.extend(groups(bytes, start..end));
    let (mut digits, mut lower) = (0, end);
    while digits < longest && lower < bytes.len() {
        let next = line_end(lower + 1);
        let Some(groups) = groups(bytes, lower + 1..next) else { break };
        digits += groups.digits();
        lines.push(groups);
        lower = next;
    }
    (lines, end)
}

/// The longest row of groups in a line, without the offset before it.
fn groups(bytes: &[u8], line: Range<usize>) -> Option<Groups> {
    let digits = |row: &[Range<usize>]| row.iter().map(Range::len).sum::<usize>();
    let mut best: Vec<Range<usize>> = Vec::new();
    let mut row: Vec<Range<usize>> = Vec::new();
    let mut at = line.start;
    loop {
        let next = next_group(bytes, at, line.end);
        let goes_on = |next: &Range<usize>| {
            row.last().is_none_or(|last| next.len().is_multiple_of(2) && is_between(bytes, last, next))
        };
        if !next.as_ref().is_some_and(goes_on) {
            // An offset far before its groups: on the last line these may be fewer than its digits.
            let is_offset = best.is_empty()
                && next.is_some()
                && matches!(row.as_slice(), [only] if OFFSET.contains(&only.len()));
            let whole = without_offset(bytes, std::mem::take(&mut row));
            if !is_offset && digits(&whole) > digits(&best) {
                best = whole;
            }
        }
        let Some(next) = next else { break };
        at = next.end;
        row.push(next);
    }
    let end = best.last()?.end;
    let rest = bytes.get(end..line.end).unwrap_or_default();
    let has_column = matches!(rest, [b' ' | b'\t', b' ' | b'\t', ..]) && !rest.trim_ascii().is_empty();
    Some(Groups { groups: best, column: if has_column { line.end } else { end } })
}

/// The next digits from here, without `0x`.
fn next_group(bytes: &[u8], from: usize, end: usize) -> Option<Range<usize>> {
    let mut at = from;
    while at < end {
        let rest = bytes.get(at..end)?;
        if matches!(rest, [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit()) {
            at += 2;
            continue;
        }
        let length = rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        if length > 0 {
            return Some(at..at + length);
        }
        at += 1;
    }
    None
}

/// Whether two groups belong to one row. A wide gap stands before a column.
fn is_between(bytes: &[u8], last: &Range<usize>, next: &Range<usize>) -> bool {
    let gap = bytes.get(last.end..next.start).unwrap_or_default();
    let gap = gap.strip_suffix(b"0x").or_else(|| gap.strip_suffix(b"0X")).unwrap_or(gap);
    let wide = matches!(gap, [b' ', b' ', ..]) && (gap.len() > 2 || last.len() != next.len());
    !wide && gap.len() <= MOST_BETWEEN && gap.iter().all(|byte| parts_groups(*byte))
}

/// Offsets and line numbers are set off from what follows, or have another length.
fn without_offset(bytes: &[u8], mut row: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if let [only] = row.as_slice()
        && !only.len().is_multiple_of(2)
    {
        row.clear();
    } else if let [first, second, ..] = row.as_slice() {
        let gap = bytes.get(first.end..second.start).unwrap_or_default();
        let set_off = gap.ends_with(b": ") || gap.contains(&b'\t') || gap.starts_with(b"  ");
        let is_offset = first.len() != second.len() && (OFFSET.contains(&first.len()) || gap == b":");
        if set_off || is_offset || !first.len().is_multiple_of(2) {
            row.remove(0);
        }
    }
    row
}

impl Groups {
    fn digits(&self) -> usize {
        self.groups.iter().map(Range::len).sum()
    }
}

/// The digits of the lines in a row; nothing if they have no groups that could be turned round, where that is asked for.
fn join(text: &str, lines: &[Groups], swapped: bool) -> Option<Joined> {
    let first = lines.first()?.groups.first()?.len();
    if swapped && !WORDS.contains(&first) {
        return None;
    }
    let mut joined = Joined::default();
    for line in lines {
        for group in &line.groups {
            let digits = text.get(group.clone()).unwrap_or_default();
            let digits = if swapped { turned(digits) } else { digits.to_owned() };
            joined.add_digits(&digits, group.clone(), line.column);
        }
    }
    Some(joined)
}

/// The bytes from the last to the first.
fn turned(digits: &str) -> String {
    digits.as_bytes().rchunks(2).flatten().map(|digit| char::from(*digit)).collect()
}
