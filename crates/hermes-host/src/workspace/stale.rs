//! The refusal of a change that was made for another content than the one that is there, with as much of that as helps.

use std::ops::Range;
use std::path::Path;

use hermes_core::{ErrorCode, ToolError};
use serde_json::{Value, json};

use super::characters::{characters, encoding_of, name, unit_of};

/// A longer text is not shown as a whole.
const MAX_SHOWN: usize = 20_000;
/// How many lines are shown around the part of a longer text that matters.
const AROUND: usize = 5;

/// What the refused change was about.
#[derive(Clone, Debug)]
pub enum About<'a> {
    /// All of the file, which would have become this.
    Whole(&'a [u8]),
    /// These bytes of the file as it is now.
    Part(Range<usize>),
    /// Nobody knows which part.
    Unknown,
}

/// The content is not what the change was made for. Says what it is now, so that nobody must read again.
pub fn stale(path: &Path, found: &str, content: Option<&[u8]>, about: &About<'_>) -> ToolError {
    let error = ToolError::new(
        ErrorCode::Conflict,
        format!("'{}' has changed since it was read; nothing was written", path.display()),
    )
    .with_field("current_sha256", found);
    match content.and_then(|content| shown(content, about)) {
        Some((current, true)) => error
            .with_hint("Repeat the change on the current content, with current_sha256 as expected_hash.")
            .with_field("current", current),
        Some((current, false)) => error
            .with_hint(
                "Only a part of what the change is about is shown. Read the file again and repeat the change on its \
                 current content, with current_sha256 as expected_hash.",
            )
            .with_field("current", current),
        None => error.with_hint(
            "Read the file again and repeat the change on its current content, or pass current_sha256 as \
             expected_hash to replace it unseen.",
        ),
    }
}

/// The text, or the lines of it that matter, and whether that is all of them.
fn shown(content: &[u8], about: &About<'_>) -> Option<(Value, bool)> {
    let encoding = encoding_of(content)?;
    let text = characters(content, encoding);
    let (mut current, is_all) = match text.len() <= MAX_SHOWN {
        true => (json!({"content": text}), true),
        false => {
            let part = match about {
                About::Whole(new) => differing(content, new),
                About::Part(part) => part.clone(),
                About::Unknown => return None,
            };
            // Where a character has two bytes, none is halved.
            let unit = unit_of(encoding);
            let (start, end) = (part.start - part.start % unit, part.end.next_multiple_of(unit));
            let place = |at: usize| match name(encoding) {
                None => Some(at),
                Some(_) => Some(characters(content.get(..at)?, encoding).len()),
            };
            lines_of(&text, &(place(start)?..place(end.min(content.len()))?))?
        }
    };
    if let (Some(encoding), Some(fields)) = (name(encoding), current.as_object_mut()) {
        fields.insert("encoding".to_owned(), encoding.into());
    }
    Some((current, is_all))
}

/// The lines of a long text around a part of it.
fn lines_of(text: &str, part: &Range<usize>) -> Option<(Value, bool)> {
    let ends: Vec<usize> = text.split_inclusive('\n').scan(0, ended).collect();
    // Lines are counted from 0 here.
    let line_of = |at: usize| ends.partition_point(|end| *end <= at).min(ends.len().saturating_sub(1));
    let first = line_of(part.start).saturating_sub(AROUND);
    let wanted = line_of(part.end.saturating_sub(1).max(part.start));
    let start = first.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    let fitting = ends.partition_point(|end| *end <= start + MAX_SHOWN).checked_sub(1)?;
    let last = fitting.min(wanted + AROUND).min(ends.len().saturating_sub(1));
    let content = text.get(start..*ends.get(last)?).filter(|content| !content.is_empty())?;
    let lines = json!({"content": content, "from_line": first + 1, "to_line": last + 1, "lines": ends.len()});
    Some((lines, last >= wanted))
}

fn ended(at: &mut usize, line: &str) -> Option<usize> {
    *at += line.len();
    Some(*at)
}

/// The part of the current content that is not also at the beginning or at the end of the new one.
fn differing(current: &[u8], new: &[u8]) -> Range<usize> {
    let same = |(one, other): &(&u8, &u8)| one == other;
    let start = current.iter().zip(new).take_while(same).count();
    let rest = |bytes: &[u8]| bytes.len() - start;
    let most = rest(current).min(rest(new));
    let end = current.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
    start..current.len() - end
}

#[cfg(test)]
mod tests {
    use super::*;

    type Written = fn(&str) -> Vec<u8>;

    fn lines(count: usize) -> String {
        (1..=count).map(|line| format!("line {line}\n")).collect()
    }

    #[test]
    fn of_a_long_text_the_part_that_matters_is_shown() {
        let current = lines(5_000);
        let (value, is_all) =
            shown(current.as_bytes(), &About::Whole(current.replace("line 700\n", "mine\n").as_bytes()))
                .unwrap();
        assert_eq!((value["from_line"].as_u64(), value["to_line"].as_u64()), (Some(695), Some(705)));
        assert!(value["content"].as_str().unwrap().starts_with("line 695\n") && is_all, "{value}");
        let at = current.find("line 4999\n").unwrap();
        let (value, is_all) = shown(current.as_bytes(), &About::Part(at..at + 9)).unwrap();
        assert_eq!((value["to_line"].as_u64(), value["lines"].as_u64()), (Some(5_000), Some(5_000)));
        assert!(value["content"].as_str().unwrap().ends_with("line 5000\n") && is_all, "{value}");
        assert!(shown(current.as_bytes(), &About::Unknown).is_none());
    }

    #[test]
    fn what_does_not_fit_is_said_to_be_missing() {
        let current = lines(5_000);
        let (value, is_all) = shown(current.as_bytes(), &About::Whole(b"all mine\n")).unwrap();
        let content = value["content"].as_str().unwrap();
        assert!(!is_all && content.len() <= MAX_SHOWN && content.ends_with('\n'), "{value}");
        assert!(shown("x".repeat(50_000).as_bytes(), &About::Whole(b"y")).is_none(), "no line of it fits");
        assert!(shown("ü".repeat(50_000).as_bytes(), &About::Part(3..4)).is_none());
    }

    #[test]
    fn other_encodings_are_shown_too() {
        let latin1 = |text: &str| text.chars().map(|letter| u32::from(letter) as u8).collect::<Vec<u8>>();
        let utf16 =
            |text: &str| format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let ways: [(Written, &str); 2] = [(latin1, "latin-1"), (utf16, "utf-16le")];
        for (written, encoding) in ways {
            let (value, is_all) = shown(&written("grün\n"), &About::Unknown).unwrap();
            assert_eq!((&value, is_all), (&json!({"content": "grün\n", "encoding": encoding}), true));
            let long = lines(5_000).replace("line", "Größe");
            let new = written(&long.replace("Größe 700\n", "mine\n"));
            let (value, is_all) = shown(&written(&long), &About::Whole(&new)).unwrap();
            assert_eq!((value["from_line"].as_u64(), value["to_line"].as_u64()), (Some(695), Some(705)));
            assert!(value["content"].as_str().unwrap().starts_with("Größe 695\n") && is_all, "{value}");
        }
        assert!(shown(b"\x7fELF\x01\0\0\0", &About::Unknown).is_none(), "no text");
    }

    #[test]
    fn what_only_one_side_has_is_between_what_both_have() {
        assert_eq!(differing(b"abc", b"abXc"), 2..2);
        assert_eq!(differing(b"aaa", b"aa"), 2..3);
        assert_eq!(differing(b"abc", b"abc"), 3..3);
        assert_eq!(differing(b"", b"x"), 0..0);
    }
}
