//! Cuts the text of a `.env` file into assignments and everything else, losing nothing.

use super::quote;

/// A piece of the file. All pieces together, in order, are the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A comment, an empty line, or a line that makes no sense to us.
    Other(String),
    Assignment(Assignment),
}

/// `head` + the value as written + `tail`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    pub(super) name: String,
    pub(super) value: String,
    /// From the start of the line to the `=`, with blanks and `export`.
    pub(super) head: String,
    pub(super) written: String,
    /// From the end of the value to the end of the line, with any comment.
    pub(super) tail: String,
}

pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = match assignment(rest) {
            Some((assignment, after)) => (Piece::Assignment(assignment), after),
            None => {
                let (line, after) = first_line(rest);
                (Piece::Other(line.to_owned()), after)
            }
        };
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// An assignment at the start of `text`, and the lines after it.
fn assignment(text: &str) -> Option<(Assignment, &str)> {
    let (line, _) = first_line(text);
    let (before, _) = line.split_once('=')?;
    let name = before.trim_start_matches('\u{feff}').trim();
    let name = name
        .strip_prefix("export")
        .filter(|rest| rest.starts_with([' ', '\t']))
        .map_or(name, str::trim_start);
    if !is_name(name) {
        return None;
    }
    let behind = text.strip_prefix(before)?.strip_prefix('=')?;
    let value = behind.trim_start_matches([' ', '\t']);
    let blanks = behind.strip_suffix(value)?;
    let (value, written, tail, after) = quoted(value).unwrap_or_else(|| bare(value, !blanks.is_empty()));
    let assignment = Assignment {
        name: name.to_owned(),
        value,
        head: format!("{before}={blanks}"),
        written: written.to_owned(),
        tail: tail.to_owned(),
    };
    Some((assignment, after))
}

type Parts<'a> = (String, &'a str, &'a str, &'a str);

/// A quoted value may go over several lines. After it only a comment may stand on its line.
fn quoted(text: &str) -> Option<Parts<'_>> {
    let (value, rest) = quote::unquote(text)?;
    let (tail, after) = first_line(rest);
    let note = tail.trim();
    (note.is_empty() || note.starts_with('#')).then_some(())?;
    Some((value, text.strip_suffix(rest)?, tail, after))
}

/// A bare value ends with its line, or before a `#` that follows a blank.
fn bare(text: &str, mut blank: bool) -> Parts<'_> {
    let (line, after) = first_line(text);
    let mut end = line.len();
    for (index, character) in line.char_indices() {
        if character == '#' && blank {
            end = index;
            break;
        }
        blank = character.is_whitespace();
    }
    let value = line.get(..end).unwrap_or(line).trim_end();
    let tail = line.strip_prefix(value).unwrap_or_default();
    (value.to_owned(), value, tail, after)
}

/// The first line with its line break, and the rest.
fn first_line(text: &str) -> (&str, &str) {
    let end = text.find('\n').map_or(text.len(), |index| index + 1);
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// What a shell accepts as the name of a variable.
pub(crate) fn is_name(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
