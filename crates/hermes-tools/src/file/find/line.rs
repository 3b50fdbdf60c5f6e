//! One line of a result, cut to what a model can use.

use std::borrow::Cow;
use std::ops::Range;

use crate::file::text::decode::from_latin1;

/// A longer line is cut around the match.
const MAX_CHARS: usize = 500;
/// How much of a long line is shown before the match.
const BEFORE: usize = 120;

/// The characters of a line. What is no UTF-8 is read as read_file reads it.
fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| from_latin1(bytes), Cow::Borrowed)
}

/// The line without its ending, at most [`MAX_CHARS`] characters of it, with the match in sight.
pub(crate) fn shown(bytes: &[u8], found: Option<Range<usize>>) -> String {
    let text = text_of(bytes);
    let text = text.trim_end_matches(['\n', '\r']);
    if text.len() <= MAX_CHARS || text.chars().nth(MAX_CHARS).is_none() {
        return text.to_owned();
    }
    let before = found.and_then(|found| bytes.get(..found.start)).unwrap_or_default();
    let start = text_of(before).len().saturating_sub(BEFORE);
    let start = text.floor_char_boundary(start.min(text.len()));
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.char_indices().nth(MAX_CHARS).map_or(rest.len(), |(end, _)| end);
    let mut cut = String::new();
    if start > 0 {
        cut.push('…');
    }
    cut.push_str(rest.get(..end).unwrap_or_default());
    if end < rest.len() {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_show_the_match() {
        assert_eq!(shown(b"short\r\n", None), "short");
        assert_eq!(shown(b"caf\xe9 \x80\n", None), "café €");
        let latin1 = [vec![0xe9; 2_000], b"NEEDLE".to_vec(), vec![0xe9; 2_000]].concat();
        assert!(shown(&latin1, Some(2_000..2_006)).contains("éNEEDLEé"));
        let long = format!("{}NEEDLE{}", "é".repeat(2_000), "x".repeat(2_000));
        let at = long.find("NEEDLE").unwrap();
        let cut = shown(long.as_bytes(), Some(at..at + 6));
        assert!(cut.contains("NEEDLE") && cut.starts_with('…') && cut.ends_with('…'), "{cut}");
        assert!(cut.chars().count() <= MAX_CHARS + 2);
    }
}
