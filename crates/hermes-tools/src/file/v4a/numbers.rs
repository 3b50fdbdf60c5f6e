//! Line numbers as `diff` writes them: `@@ -3,2 +3,4 @@ heading`. Authors who cannot count lines make them up, so they
//! are believed only where everything they say is true.

use super::block::block_end;
use super::hunk::{Lines, old_lines};
use super::parse::Line;

/// What stands behind `@@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    old: Span,
    new: Span,
    /// A line above the hunk, as `diff -p` shows it: perhaps not all of it.
    heading: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    start: usize,
    count: usize,
}

impl Numbers {
    /// `None` if it is a heading like any other.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (old, rest) = text.trim().strip_prefix('-')?.split_once(" +")?;
        let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != ',').unwrap_or(rest.len());
        let (new, rest) = rest.split_at_checked(end)?;
        let heading = match rest.trim() {
            "" => "",
            rest => rest.strip_prefix("@@")?.trim(),
        };
        let heading = (!heading.is_empty()).then(|| heading.to_owned());
        Some(Numbers { old: span(old)?, new: span(new)?, heading })
    }

    /// The places that the numbers and the heading do not speak against, if that leaves one.
    pub(super) fn settle(&self, file: &Lines, lines: &[Line], places: Vec<usize>) -> Vec<usize> {
        let named = self.place(file, lines).filter(|named| places.contains(named));
        let heading = self.heading.as_deref().and_then(|heading| only_line(file, heading));
        let is_meant = |place: &usize| {
            let end = *place + old_lines(lines).len();
            named.is_none_or(|named| named == *place)
                && heading.is_none_or(|heading| *place > heading && end <= block_end(file, heading))
        };
        let meant: Vec<usize> = places.iter().copied().filter(is_meant).collect();
        if meant.len() == 1 { meant } else { places }
    }

    /// Where lines are to be put that stand beside no others: at either end of the file, or nobody can tell.
    pub(super) fn end(&self, file: &Lines, lines: &[Line]) -> Option<usize> {
        self.place(file, lines).filter(|place| *place == 0 || *place == file.lines.len())
    }

    /// The place that all numbers agree on in the file as it is now.
    fn place(&self, file: &Lines, lines: &[Line]) -> Option<usize> {
        let old = old_lines(lines).len();
        let new = lines.iter().filter(|line| !matches!(line, Line::Remove(_))).count();
        // A span of no lines is named by the line in front of it.
        let first = |span: Span| if span.count == 0 { Some(span.start) } else { span.start.checked_sub(1) };
        let (before, now) = (first(self.old)?, first(self.new)?);
        // Earlier hunks have moved the lines below them.
        let is_moved = now.checked_add(file.had)? == before.checked_add(file.lines.len())?;
        ((self.old.count, self.new.count) == (old, new) && is_moved).then_some(now)
    }
}

fn span(text: &str) -> Option<Span> {
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    Some(Span { start: start.parse().ok()?, count: count.parse().ok()? })
}

/// The line that begins like a heading, if there is one only.
fn only_line(file: &Lines, heading: &str) -> Option<usize> {
    let mut found = file.lines.iter().enumerate().filter(|(_, line)| line.trim_start().starts_with(heading));
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Some(at),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_are_numbers() {
        let span = |start, count| Span { start, count };
        let read = |text| Numbers::read(text).map(|numbers| (numbers.old, numbers.new, numbers.heading));
        assert_eq!(read("-3,2 +3,4 @@"), Some((span(3, 2), span(3, 4), None)));
        assert_eq!(read("-1 +1"), Some((span(1, 1), span(1, 1), None)));
        assert_eq!(read("-0,0 +1,9 @@ fn a() {"), Some((span(0, 0), span(1, 9), Some("fn a() {".into()))));
        for heading in ["- item + more", "-x +1", "-1 +1 items", "-1", "def f():", "--a +b", "-1, +1", ""] {
            assert_eq!(read(heading), None, "{heading}");
        }
    }
}
