//! Pages of lines out of a stream, in bounded memory.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

/// A longer line is cut when it is shown.
pub(crate) const MAX_LINE_CHARS: usize = 2_000;
/// As many bytes as [`MAX_LINE_CHARS`] characters can take.
const MAX_LINE_BYTES: u64 = 4 * MAX_LINE_CHARS as u64;
/// More bytes than fit into one page; further lines are only counted.
const MAX_PAGE_BYTES: usize = 8 * PAGE_CHARS;
/// What one page may hold, counted as JSON text.
pub(crate) const PAGE_CHARS: usize = 100_000;
/// Beyond this many bytes after the page, the rest is not counted any more.
const MAX_COUNTED: u64 = 4 * 1024 * 1024 * 1024;

/// One line, or its beginning.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Without its line ending.
    pub(crate) bytes: Vec<u8>,
    pub(crate) ending: Ending,
    /// The length of the whole line in bytes, if only its beginning is here.
    pub(crate) cut_from: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Lf,
    CrLf,
    /// The last line of a text that does not end in a line break.
    None,
}

impl Ending {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Ending::Lf => "\n",
            Ending::CrLf => "\r\n",
            Ending::None => "",
        }
    }
}

/// Some lines of a text.
#[derive(Debug)]
pub(crate) struct Page {
    /// At most as many as were asked for; fewer if they are long.
    pub(crate) lines: Vec<Line>,
    /// How many lines the text has; missing if it goes on for too long.
    pub(crate) total: Option<u64>,
}

/// Reads `limit` lines from line `offset` (counted from 1) on, then counts the rest.
pub(crate) fn read_page(reader: &mut impl BufRead, offset: u64, limit: u64) -> io::Result<Page> {
    let mut seen = 0;
    while seen + 1 < offset {
        if reader.skip_until(b'\n')? == 0 {
            return Ok(Page { lines: Vec::new(), total: Some(seen) });
        }
        seen += 1;
    }
    let mut lines = Vec::new();
    let mut kept = 0;
    let mut taken = 0;
    while taken < limit && kept < MAX_PAGE_BYTES {
        let Some(line) = read_line(reader)? else { break };
        kept += line.bytes.len();
        taken += 1;
        lines.push(line);
    }
    let mut rest = reader.take(MAX_COUNTED);
    let mut after = 0;
    while rest.skip_until(b'\n')? > 0 {
        after += 1;
    }
    let total = (rest.limit() > 0).then_some(seen + taken + after);
    Ok(Page { lines, total })
}

fn read_line(reader: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let length = reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes)?;
    if length == 0 {
        return Ok(None);
    }
    if bytes.pop_if(|byte| *byte == b'\n').is_some() {
        let ending = match bytes.pop_if(|byte| *byte == b'\r') {
            Some(_) => Ending::CrLf,
            None => Ending::Lf,
        };
        return Ok(Some(Line { bytes, ending, cut_from: None }));
    }
    let kept = u64::try_from(length).unwrap_or(u64::MAX);
    if kept < MAX_LINE_BYTES {
        return Ok(Some(Line { bytes, ending: Ending::None, cut_from: None }));
    }
    let rest = u64::try_from(reader.skip_until(b'\n')?).unwrap_or(u64::MAX);
    Ok(Some(Line { bytes, ending: Ending::Lf, cut_from: Some(kept.saturating_add(rest)) }))
}

/// A line as it is shown: at most [`MAX_LINE_CHARS`] characters, and a mark if there was more.
pub(crate) fn shown(text: &str, cut_from: Option<u64>) -> (Cow<'_, str>, bool) {
    if text.len() <= MAX_LINE_CHARS && cut_from.is_none() {
        return (Cow::Borrowed(text), false);
    }
    let head = match text.char_indices().nth(MAX_LINE_CHARS) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None if cut_from.is_none() => return (Cow::Borrowed(text), false),
        None => text,
    };
    let length = cut_from.unwrap_or(u64::try_from(text.len()).unwrap_or(u64::MAX));
    (Cow::Owned(format!("{head} … [cut here: the line has {length} bytes]")), true)
}

/// How many characters `text` takes inside a JSON string.
pub(crate) fn json_chars(text: &str) -> usize {
    let longer = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 8 | 12 => 1,
        0..=0x1f => 5,
        _ => 0,
    };
    text.chars().count() + text.bytes().map(longer).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str, offset: u64, limit: u64) -> (Vec<String>, Option<u64>) {
        let page = read_page(&mut text.as_bytes(), offset, limit).unwrap();
        let lines = page.lines.iter().map(|line| String::from_utf8_lossy(&line.bytes).into_owned()).collect();
        (lines, page.total)
    }

    #[test]
    fn counts_lines_as_people_do() {
        assert_eq!(page("", 1, 9), (vec![], Some(0)));
        assert_eq!(page("a", 1, 9), (vec!["a".into()], Some(1)));
        assert_eq!(page("a\n", 1, 9), (vec!["a".into()], Some(1)));
        assert_eq!(page("a\n\n", 1, 9), (vec!["a".into(), String::new()], Some(2)));
        assert_eq!(page("a\r\nb\nc", 2, 1), (vec!["b".into()], Some(3)));
        assert_eq!(page("a\nb\n", 3, 1), (vec![], Some(2)));
        assert_eq!(page("a\nb\n", 99, 1), (vec![], Some(2)));
    }

    #[test]
    fn long_lines_are_cut_and_the_next_one_is_whole() {
        let text = format!("{}\nnext", "x".repeat(50_000));
        let page = read_page(&mut text.as_bytes(), 1, 9).unwrap();
        assert_eq!(page.lines[0].cut_from, Some(50_001));
        assert_eq!(page.lines[1], Line { bytes: b"next".to_vec(), ending: Ending::None, cut_from: None });
        assert_eq!(page.total, Some(2));
        assert_eq!(shown(&"é".repeat(2_001), None).0.chars().take_while(|c| *c == 'é').count(), 2_000);
        assert_eq!(shown("short", None), ("short".into(), false));
    }

    #[test]
    fn json_size_is_what_serde_writes() {
        for text in ["plain", "a\"b\\c\n\t\r", "\u{1}\u{0}\u{8}\u{c}", "é漢"] {
            let written = serde_json::to_string(text).unwrap().chars().count() - 2;
            assert_eq!(json_chars(text), written, "{text:?}");
        }
    }
}
