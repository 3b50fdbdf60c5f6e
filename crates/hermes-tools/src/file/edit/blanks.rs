//! Blanks inside a line: several stand for one, where they are between words and not inside a string.

use std::ops::Range;

use super::apostrophes::Apostrophes;
use super::carried::carried;
use super::literals::spanning;
use super::places::{behind_letter, with_overlapping};
use super::view::View;

/// Places in `text` that equal `old` but for the number of blanks between words. Indentation must be the
/// same, a blank never stands for nothing, and blanks inside quotes are data on either side. Places may overlap.
pub(super) fn find_all(text: &str, old: &str) -> Vec<Range<usize>> {
    let pattern = pattern(old);
    let (Some(Part::Text(first)), [_, _, ..]) = (pattern.first(), pattern.as_slice()) else {
        return Vec::new();
    };
    let data = Data::of(text);
    let next = |mut from: usize| {
        loop {
            let at = from + text.get(from..)?.find(first.as_str())?;
            if let Some(end) = matches_at(text, at, &pattern, &data) {
                return Some((at..end, at..end));
            }
            from = behind_letter(text, at);
        }
    };
    with_overlapping(next, |at| behind_letter(text, at))
}

/// `new` as it is to stand where `old` was found as `region`. The caller's blanks count; but a tab where the caller
/// wrote blanks may part columns, and then what `new` repeats keeps the file's.
pub(crate) fn keep_blanks(region: &str, old: &str, new: &str) -> String {
    let tabs = |text: &str| text.matches('\t').count();
    if tabs(region) == tabs(old) {
        return new.to_owned();
    }
    let mut rest = region;
    let mut pieces: Vec<(usize, &str)> = Vec::new();
    let pattern = pattern(old);
    for part in &pattern {
        match part {
            Part::Text(text) => {
                let letters =
                    text.char_indices().map(|(at, letter)| (letter.len_utf8(), at..at + letter.len_utf8()));
                pieces.extend(letters.filter_map(|(taken, letter)| Some((taken, text.get(letter)?))));
                rest = rest.get(text.len()..).unwrap_or_default();
            }
            Part::Blanks(blanks) => {
                let after = rest.trim_start_matches(is_blank);
                pieces.push((rest.len() - after.len(), blanks));
                rest = after;
            }
        }
    }
    let own = View::of_pieces(pieces);
    carried(region, old, new, |part| own.original(part), str::to_owned)
}

/// Whether two lines are the same but for the number of blanks between words.
pub(crate) fn is_same_but_for_blanks(line: &str, wanted: &str) -> bool {
    find_all(line, wanted).first() == Some(&(0..line.len()))
}

enum Part {
    Text(String),
    /// One or more blanks, written like this in `old`.
    Blanks(String),
}

/// Cuts `old` at the blanks that may vary.
fn pattern(old: &str) -> Vec<Part> {
    let data = Data::of(old);
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut at_line_start = true;
    let mut characters = old.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if is_blank(character) && !at_line_start && !data.holds(at) {
            let mut blanks = String::from(character);
            while let Some((_, blank)) = characters.next_if(|(_, next)| is_blank(*next)) {
                blanks.push(blank);
            }
            parts.push(Part::Text(std::mem::take(&mut text)));
            parts.push(Part::Blanks(blanks));
        } else {
            at_line_start = character == '\n' || (at_line_start && is_blank(character));
            text.push(character);
        }
    }
    parts.push(Part::Text(text));
    parts
}

fn matches_at(text: &str, start: usize, pattern: &[Part], data: &Data) -> Option<usize> {
    let mut at = start;
    for (index, part) in pattern.iter().enumerate() {
        let rest = text.get(at..)?;
        at += match part {
            Part::Text(expected) => rest.starts_with(expected.as_str()).then_some(expected.len())?,
            Part::Blanks(expected) => {
                let blanks = rest.len() - rest.trim_start_matches(is_blank).len();
                let own = rest.get(..blanks)?;
                let same = own == expected.as_str();
                // Who writes tabs counts them: two may stand around a column with nothing in it.
                let tabs = |blanks: &str| blanks.matches('\t').count();
                if ![0, tabs(own)].contains(&tabs(expected)) && tabs(own) > 0 {
                    return None;
                }
                // Blanks at the end of `old` stand between no words, so they stand for none that do.
                let is_last = matches!(pattern.get(index + 1..), Some([Part::Text(end)]) if end.is_empty());
                let is_open = !is_last
                    || rest.get(blanks..).is_none_or(|rest| rest.is_empty() || rest.starts_with('\n'));
                (blanks > 0 && (same || (is_open && !data.holds(at)))).then_some(blanks)?
            }
        };
    }
    Some(at)
}

/// Where something is quoted, in order; a quote that is not closed reaches to the end of its line. What may be the sign
/// of a lifetime opens nothing if those are `skipped`.
fn strings(text: &str, skipped: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    let mut escaped = false;
    let mut apostrophes = Apostrophes::of(text);
    for (at, character) in text.char_indices() {
        match open {
            Some((start, quote)) if character == '\n' || (character == quote && !escaped) => {
                found.push(start..at);
                open = None;
            }
            None if character == '\'' && apostrophes.opens_nothing(at) => {}
            None if character == '\'' && skipped && apostrophes.may_open_nothing(at) => {}
            None if matches!(character, '"' | '\'' | '`') => open = Some((at, character)),
            None if character == '/' && begins_pattern(text, at) => open = Some((at, character)),
            _ => {}
        }
        escaped = character == '\\' && !escaped && open.is_some();
    }
    found.extend(open.map(|(start, _)| start..text.len()));
    found
}

/// Words that a value follows.
const BEFORE_VALUES: [&str; 13] =
    ["return", "case", "if", "unless", "when", "while", "until", "and", "or", "not", "in", "of", "typeof"];

/// Whether a slash begins a regular expression: it stands where a value is expected, nothing is divided there, and it
/// is closed on its line.
fn begins_pattern(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end_matches(is_blank);
    let rest = text.get(at + 1..).unwrap_or_default();
    // No further than needed: a line may be as long as a file, and full of slashes.
    let is_closed = || rest.find(['/', '\n']).is_some_and(|end| end > 0 && rest.get(end..=end) == Some("/"));
    let word =
        before.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
    let is_expected = before.is_empty()
        || before.ends_with(['(', ',', '=', ':', '[', '!', '&', '|', '?', '{', '}', ';', '~', '\n'])
        || BEFORE_VALUES.contains(&word);
    is_expected && !rest.starts_with('*') && is_closed()
}

/// Where blanks are data, by any way of reading: quotes that end on their line, with and without lifetimes, and texts
/// that span lines.
struct Data {
    strings: [Vec<Range<usize>>; 2],
    spanning: Vec<Range<usize>>,
}

impl Data {
    fn of(text: &str) -> Self {
        Data { strings: [strings(text, false), strings(text, true)], spanning: spanning(text) }
    }

    fn holds(&self, at: usize) -> bool {
        let is_inside = |strings: &Vec<Range<usize>>| {
            let next = strings.partition_point(|string| string.end <= at);
            strings.get(next).is_some_and(|string| string.contains(&at))
        };
        self.strings.iter().chain([&self.spanning]).any(is_inside)
    }
}

fn is_blank(character: char) -> bool {
    character == ' ' || character == '\t'
}
