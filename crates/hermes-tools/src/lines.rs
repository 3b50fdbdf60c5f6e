//! Pages of lines out of a stream, in bounded memory.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};
use std::ops::Range;

use hermes_core::CallContext;

/// A longer line is cut when it is shown.
pub(crate) const MAX_LINE_CHARS: usize = 2_000;
/// As many bytes as [`MAX_LINE_CHARS`] characters can take.
const MAX_LINE_BYTES: u64 = 4 * MAX_LINE_CHARS as u64;
/// More bytes than fit into one page; further lines are only counted.
const MAX_PAGE_BYTES: usize = 8 * PAGE_CHARS;
/// What one page may hold at most, counted as JSON text.
const PAGE_CHARS: usize = 100_000;
/// What the fields beside a page take.
const BESIDE_CHARS: usize = 4_000;
/// Beyond this many bytes after the page, the rest is not counted any more.
const MAX_COUNTED: u64 = 4 * 1024 * 1024 * 1024;

/// What a page of this call may hold, counted as JSON text: a larger one would be cut where its reader cannot tell.
pub(crate) fn page_chars(cx: &CallContext) -> usize {
    let limit = cx.result_chars();
    PAGE_CHARS.min(limit - BESIDE_CHARS.min(limit / 2))
}

/// One line, or its beginning.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Where it stands in the page, without its line ending.
    pub(crate) at: Range<usize>,
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
    /// Holds the lines.
    pub(crate) text: Vec<u8>,
    /// At most as many as were asked for; fewer if they are long.
    pub(crate) lines: Vec<Line>,
    /// How many lines the text has; missing if it goes on for too long.
    pub(crate) total: Option<u64>,
}

impl Page {
    pub(crate) fn bytes(&self, line: &Line) -> &[u8] {
        self.text.get(line.at.clone()).unwrap_or_default()
    }
}

/// Reads `limit` lines from line `offset` (counted from 1) on, then counts the rest.
pub(crate) fn read_page(reader: &mut impl BufRead, offset: u64, limit: u64) -> io::Result<Page> {
    let (mut text, mut lines) = (Vec::new(), Vec::new());
    let mut seen = 0;
    while seen + 1 < offset {
        if reader.skip_until(b'\n')? == 0 {
            return Ok(Page { text, lines, total: Some(seen) });
        }
        seen += 1;
    }
    let mut taken = 0;
    while taken < limit && text.len() < MAX_PAGE_BYTES {
        let Some(line) = read_line(reader, &mut text)? else { break };
        taken += 1;
        lines.push(line);
    }
    let mut rest = reader.take(MAX_COUNTED);
    let mut after = 0;
    while rest.skip_until(b'\n')? > 0 {
        after += 1;
    }
    let total = (rest.limit() > 0).then_some(seen + taken + after);
    Ok(Page { text, lines, total })
}

/// The same of a text that is here already, and short.
pub(crate) fn page_of(text: Vec<u8>, offset: u64, limit: u64) -> Page {
    let offset = offset.max(1);
    let (mut lines, mut seen, mut start) = (Vec::new(), 0, 0);
    let breaks = memchr::memchr_iter(b'\n', &text).map(|at| at + 1);
    let rest = text.last().filter(|last| **last != b'\n').map(|_| text.len());
    for end in breaks.chain(rest) {
        seen += 1;
        if seen >= offset && seen - offset < limit {
            lines.push(line_at(&text, start..end));
        }
        start = end;
    }
    Page { text, lines, total: Some(seen) }
}

fn line_at(text: &[u8], whole: Range<usize>) -> Line {
    let most = usize::try_from(MAX_LINE_BYTES).unwrap_or(usize::MAX);
    let length = whole.len();
    if length > most || (length == most && text.get(whole.end - 1) != Some(&b'\n')) {
        let cut_from = Some(u64::try_from(length).unwrap_or(u64::MAX));
        return Line { at: whole.start..whole.start + most, ending: Ending::Lf, cut_from };
    }
    let ending = ending_of(text.get(whole.clone()).unwrap_or_default());
    Line { at: whole.start..whole.end - ending.as_str().len(), ending, cut_from: None }
}

fn ending_of(line: &[u8]) -> Ending {
    match line {
        [.., b'\r', b'\n'] => Ending::CrLf,
        [.., b'\n'] => Ending::Lf,
        _ => Ending::None,
    }
}

/// Puts the next line behind `text`.
fn read_line(reader: &mut impl BufRead, text: &mut Vec<u8>) -> io::Result<Option<Line>> {
    let start = text.len();
    let length = reader.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', text)?;
    let kept = u64::try_from(length).unwrap_or(u64::MAX);
    let ending = match ending_of(text.get(start..).unwrap_or_default()) {
        _ if length == 0 => return Ok(None),
        Ending::None if kept >= MAX_LINE_BYTES => {
            let rest = u64::try_from(reader.skip_until(b'\n')?).unwrap_or(u64::MAX);
            let cut_from = Some(kept.saturating_add(rest));
            return Ok(Some(Line { at: start..text.len(), ending: Ending::Lf, cut_from }));
        }
        ending => ending,
    };
    text.truncate(text.len() - ending.as_str().len());
    Ok(Some(Line { at: start..text.len(), ending, cut_from: None }))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn page(text: &str, offset: u64, limit: u64) -> (Vec<String>, Option<u64>) {
        let page = read_page(&mut text.as_bytes(), offset, limit).unwrap();
        let lines =
            page.lines.iter().map(|line| String::from_utf8_lossy(page.bytes(line)).into_owned()).collect();
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

    proptest! {
        #[test]
        fn a_text_at_hand_has_the_pages_of_a_stream(
            pieces in proptest::collection::vec(
                prop_oneof![
                    Just("\n".to_owned()), Just("\r\n".to_owned()), Just("\r".to_owned()), "[a-zé]{0,5}",
                    (7_995_usize..8_005).prop_map(|length| "x".repeat(length)),
                ],
                0..12,
            ),
            offset in 0_u64..8, limit in 0_u64..8,
        ) {
            let text = pieces.concat();
            let stream = read_page(&mut text.as_bytes(), offset, limit).unwrap();
            let whole = page_of(text.clone().into_bytes(), offset, limit);
            let told = |page: &Page| -> Vec<(Vec<u8>, Ending, Option<u64>)> {
                page.lines.iter().map(|line| (page.bytes(line).to_vec(), line.ending, line.cut_from)).collect()
            };
            prop_assert_eq!(told(&whole), told(&stream));
            prop_assert_eq!(whole.total, stream.total);
        }
    }

    #[test]
    fn long_lines_are_cut_and_the_next_one_is_whole() {
        let text = format!("{}\nnext", "x".repeat(50_000));
        let page = read_page(&mut text.as_bytes(), 1, 9).unwrap();
        assert_eq!(page.lines[0].cut_from, Some(50_001));
        assert_eq!(page.bytes(&page.lines[1]), b"next");
        assert_eq!((page.lines[1].ending, page.lines[1].cut_from), (Ending::None, None));
        assert_eq!(page.total, Some(2));
        assert_eq!(shown(&"é".repeat(2_001), None).0.chars().take_while(|c| *c == 'é').count(), 2_000);
        assert_eq!(shown("short", None), ("short".into(), false));
    }
}
