//! Blanks inside a line: several stand for one, where they are between words and not inside a string.

use std::ops::Range;

/// Places in `text` that equal `old` but for the number of blanks between words. Indentation must be the
/// same, a blank never stands for nothing, and blanks inside quotes are data.
pub(super) fn find_all(text: &str, old: &str) -> Vec<Range<usize>> {
    let pattern = pattern(old);
    if !pattern.iter().any(|part| matches!(part, Part::Blanks)) {
        return Vec::new();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    let first = match pattern.first() {
        Some(Part::Text(first)) => first.as_str(),
        _ => return Vec::new(),
    };
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(first)).map(|at| from + at) {
        match matches_at(text, at, &pattern) {
            Some(end) => {
                found.push(at..end);
                from = end;
            }
            None => from = at + first.chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}

enum Part {
    Text(String),
    /// One or more blanks.
    Blanks,
}

/// Cuts `old` at the blanks that may vary.
fn pattern(old: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut quote: Option<char> = None;
    let mut at_line_start = true;
    let mut characters = old.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\n', _) => (quote, at_line_start) = (None, true),
            ('"' | '\'' | '`', None) => quote = Some(character),
            (_, Some(open)) if character == open => quote = None,
            _ => {}
        }
        if is_blank(character) && quote.is_none() && !at_line_start {
            while characters.next_if(|next| is_blank(*next)).is_some() {}
            parts.push(Part::Text(std::mem::take(&mut text)));
            parts.push(Part::Blanks);
        } else {
            at_line_start = character == '\n' || (at_line_start && is_blank(character));
            text.push(character);
        }
    }
    parts.push(Part::Text(text));
    parts
}

fn matches_at(text: &str, start: usize, pattern: &[Part]) -> Option<usize> {
    let mut at = start;
    for part in pattern {
        let rest = text.get(at..)?;
        at += match part {
            Part::Text(expected) => rest.starts_with(expected.as_str()).then_some(expected.len())?,
            Part::Blanks => {
                let blanks: usize = rest.chars().take_while(|next| is_blank(*next)).map(char::len_utf8).sum();
                (blanks > 0).then_some(blanks)?
            }
        };
    }
    Some(at)
}

fn is_blank(character: char) -> bool {
    character == ' ' || character == '\t'
}
