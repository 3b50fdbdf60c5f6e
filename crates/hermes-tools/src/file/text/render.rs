//! A page of lines as the model reads it.

use std::borrow::Cow;

use hermes_core::text::{MOST_JSON_CHARS, json_chars};

use super::decode::line_text;
use super::sniff::Charset;
use crate::lines::{Ending, Page, shown};

#[derive(Clone, Copy, Debug)]
pub(in crate::file) struct Style {
    /// The number of the first line.
    pub(in crate::file) first: u64,
    /// Whether to put `N|` in front of each line; otherwise line endings stay as they are in the file.
    pub(in crate::file) numbers: bool,
    /// How many characters of JSON the lines may take together; one line is shown in any case.
    pub(in crate::file) room: usize,
}

#[derive(Clone, Debug)]
pub(in crate::file) struct Rendered {
    pub(in crate::file) content: String,
    pub(in crate::file) charset: Charset,
    /// The first line that is not in `content`, if there is one.
    pub(in crate::file) next: Option<u64>,
    pub(in crate::file) hint: Option<String>,
    /// Only if there are carriage returns.
    pub(in crate::file) line_endings: Option<&'static str>,
}

/// Puts the lines of a page together, as many as one answer holds. The error is the number of a line whose
/// bytes do not fit the encoding.
pub(in crate::file) fn render(page: &Page, charset: Charset, style: Style) -> Result<Rendered, u64> {
    // Judging all bytes at once is much faster; only where that fails each line is judged by itself.
    let whole = std::str::from_utf8(&page.text).ok().filter(|_| charset != Charset::Latin1);
    let mut content = String::with_capacity(page.text.len() + page.lines.len() * 8);
    let mut next = style.first.max(1);
    let mut room = style.room;
    // Up to here `room` is known; what comes after is counted when it could be too much.
    let mut counted = 0;
    let mut cut_lines = 0_usize;
    let mut number = itoa::Buffer::new();
    let (mut lf, mut crlf) = (false, false);
    for line in &page.lines {
        let text = match whole.and_then(|text| text.get(line.at.clone())) {
            Some(text) => Cow::Borrowed(text),
            None => line_text(page, line, charset).ok_or(next)?,
        };
        let (text, cut) = shown(&text, line.cut_from);
        let start = content.len();
        if style.numbers {
            content.push_str(number.format(next));
            content.push('|');
        }
        content.push_str(&text);
        content.push_str(if style.numbers { "\n" } else { line.ending.as_str() });
        let unsure = content.get(counted..).unwrap_or_default();
        if unsure.len() * MOST_JSON_CHARS > room {
            let left = room.checked_sub(json_chars(unsure));
            if left.is_none() && start > 0 {
                content.truncate(start);
                break;
            }
            (room, counted) = (left.unwrap_or(0), content.len());
        }
        cut_lines += usize::from(cut);
        lf |= line.ending == Ending::Lf;
        crlf |= line.ending == Ending::CrLf;
        next += 1;
    }
    let more = page.total.is_none_or(|total| next <= total);
    Ok(Rendered {
        content,
        charset,
        next: more.then_some(next),
        hint: hint(page.total, style.first, next, cut_lines),
        line_endings: crlf.then_some(if lf { "mixed" } else { "crlf" }),
    })
}

/// Tells the model how to go on. `next` is the number of the first line that is not shown.
pub(super) fn hint(total: Option<u64>, first: u64, next: u64, cut_lines: usize) -> Option<String> {
    let mut hints = Vec::new();
    match total {
        Some(0) => hints.push("The file is empty.".to_owned()),
        Some(total) if first > total => {
            hints.push(format!("The file has {total} lines; offset {first} is past its end."));
        }
        Some(total) if next <= total => {
            hints.push(format!("Lines {first}-{} of {total}; go on with offset {next}.", next - 1));
        }
        Some(_) => {}
        None => hints.push(format!("The file is too long to count; go on with offset {next}.")),
    }
    if cut_lines > 0 {
        hints.push(format!("Lines cut because they are too long: {cut_lines}."));
    }
    (!hints.is_empty()).then(|| hints.join(" "))
}
