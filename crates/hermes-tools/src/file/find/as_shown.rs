//! The bytes of a file as the letters that are shown of it, on the way to a search.

use std::borrow::Cow;
use std::io::{self, Read};

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;

use super::reads::Reads;
use crate::file::text::decode::from_latin1;

/// So much is read at once, and so much of a line is looked at as one.
const PIECE: usize = 64 * 1024;

/// UTF-8 stays as it is, other bytes become the letters that they are in Latin-1; carriage returns at the end of a line
/// go. Only as much of it happens as [`Reads`] says. Most files have neither, and are handed on as they are read.
pub(super) struct AsShown<'a, R> {
    source: R,
    reads: Reads,
    /// What is looked for, where it is looked for in one line at a time.
    matcher: Option<&'a RegexMatcher>,
    /// Read, and not yet gone through.
    raw: Vec<u8>,
    /// Gone through, and from `at` on not yet handed on.
    ready: Vec<u8>,
    at: usize,
    ended: bool,
}

impl<'a, R: Read> AsShown<'a, R> {
    pub(super) fn new(source: R, reads: Reads, matcher: Option<&'a RegexMatcher>) -> Self {
        AsShown { source, reads, matcher, raw: Vec::new(), ready: Vec::new(), at: 0, ended: false }
    }

    /// Whether these bytes are shown as they are.
    fn is_plain(&self, bytes: &[u8]) -> bool {
        (!self.reads.letters || bytes.is_ascii())
            && (!self.reads.no_returns || memchr::memchr(b'\r', bytes).is_none())
    }

    /// How much of what was read can be gone through: whole lines, since one is in one encoding. The rest of a line is
    /// waited for unless that makes no difference, or it is very long.
    fn whole(&self) -> usize {
        let line = memchr::memrchr(b'\n', &self.raw).map_or(0, |at| at + 1);
        let rest = self.raw.get(line..).unwrap_or_default();
        if self.ended || self.is_plain(rest) {
            self.raw.len()
        } else if rest.len() >= PIECE {
            Some(line + uncut(rest)).filter(|whole| *whole > 0).unwrap_or(self.raw.len())
        } else {
            line
        }
    }

    fn go_through(&mut self) {
        let whole = self.whole();
        let raw = std::mem::take(&mut self.raw);
        let (part, rest) = raw.split_at_checked(whole).unwrap_or((&raw, &[]));
        let part =
            if self.reads.no_returns { without_returns(part, self.ended) } else { Cow::Borrowed(part) };
        let is_letters = !self.reads.letters || std::str::from_utf8(&part).is_ok();
        self.ready = if is_letters { part.into_owned() } else { self.letters(&part).into_bytes() };
        self.at = 0;
        self.raw = rest.to_vec();
    }

    /// Some lines, not all of which are UTF-8.
    fn letters(&self, part: &[u8]) -> String {
        if !has_letters_of_utf8(part) {
            return from_latin1(part).into_owned();
        }
        let lines = part.split_inclusive(|byte| *byte == b'\n');
        lines.map(|line| std::str::from_utf8(line).map_or_else(|_| self.line(line), Cow::Borrowed)).collect()
    }

    /// A line that is not UTF-8. What in it is UTF-8 may be meant as that, or be letters of Latin-1 that look so by
    /// accident: then it is taken for what is looked for.
    fn line<'l>(&self, line: &'l [u8]) -> Cow<'l, str> {
        let latin1 = from_latin1(line);
        if !has_letters_of_utf8(line) {
            return latin1;
        }
        let mut mixed = String::with_capacity(line.len() * 2);
        for chunk in line.utf8_chunks() {
            mixed.push_str(chunk.valid());
            mixed.push_str(&from_latin1(chunk.invalid()));
        }
        let is_found = |text: &str| {
            let bare = text.trim_end_matches('\n').as_bytes();
            self.matcher.is_some_and(|matcher| matcher.is_match(bare).unwrap_or(false))
        };
        if is_found(&latin1) && !is_found(&mixed) { latin1 } else { Cow::Owned(mixed) }
    }
}

impl<R: Read> Read for AsShown<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let mut ready = self.ready.get(self.at..).unwrap_or_default();
            let length = ready.read(out)?;
            if length > 0 || out.is_empty() || self.ended {
                self.at += length;
                return Ok(length);
            }
            if self.raw.is_empty() {
                let length = self.source.read(out)?;
                let bytes = out.get(..length).unwrap_or_default();
                if self.is_plain(bytes) {
                    return Ok(length);
                }
                self.raw.extend_from_slice(bytes);
            } else {
                let start = self.raw.len();
                self.raw.resize(start + PIECE, 0);
                let read = self.source.read(self.raw.get_mut(start..).unwrap_or_default());
                self.raw.truncate(start + *read.as_ref().unwrap_or(&0));
                self.ended = read? == 0;
            }
            self.go_through();
        }
    }
}

fn has_letters_of_utf8(bytes: &[u8]) -> bool {
    bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii())
}

/// The lines without the carriage returns at their ends; the last one has an end if nothing comes behind it.
fn without_returns(part: &[u8], is_last: bool) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\r', part).is_none() {
        return Cow::Borrowed(part);
    }
    let mut without = Vec::with_capacity(part.len());
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', part) {
        without.extend_from_slice(bare(part.get(start..end).unwrap_or_default()));
        without.push(b'\n');
        start = end + 1;
    }
    let rest = part.get(start..).unwrap_or_default();
    without.extend_from_slice(if is_last { bare(rest) } else { rest });
    Cow::Owned(without)
}

/// How much of a long piece can be taken without cutting a letter, or carriage returns from the end of their line.
fn uncut(piece: &[u8]) -> usize {
    let cut = match piece {
        [.., 0xc2..=0xf4] => 1,
        [.., 0xe0..=0xf4, 0x80..=0xbf] => 2,
        [.., 0xf0..=0xf4, 0x80..=0xbf, 0x80..=0xbf] => 3,
        _ => 0,
    };
    bare(piece.get(..piece.len() - cut).unwrap_or(piece)).len()
}

fn bare(line: &[u8]) -> &[u8] {
    let returns = line.iter().rev().take_while(|byte| **byte == b'\r').count();
    line.get(..line.len() - returns).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: Reads = Reads { letters: true, no_returns: true };

    /// Reads that bring only so many bytes.
    struct Slowly<'a>(&'a [u8], usize);

    impl Read for Slowly<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(out.len());
            self.0.read(out.get_mut(..most).unwrap())
        }
    }

    fn all_of(bytes: &[u8], at_once: usize, reads: Reads, pattern: Option<&str>) -> String {
        let matcher = pattern.map(|pattern| RegexMatcher::new(pattern).unwrap());
        let mut text = Vec::new();
        let mut shown = AsShown::new(Slowly(bytes, at_once), reads, matcher.as_ref());
        // The first bytes are asked for one by one, as somebody does who looks for a mark.
        let mut first = [0; 3];
        let length = shown.read(&mut first).unwrap();
        text.extend_from_slice(&first[..length]);
        shown.read_to_end(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn lines_are_read_as_they_are_shown() {
        for (bytes, expected) in [
            (b"plain\n".as_slice(), "plain\n"),
            (b"caf\xe9\r\ncaf\xc3\xa9\r\n", "café\ncafé\n"),
            (b"\xef\xbb\xbfmark\r\r\nlast\r", "\u{feff}mark\nlast"),
            (b"one\rline\r\n\r\n", "one\rline\n\n"),
            (b"bad \xff na\xc3\xafve", "bad ÿ naïve"),
            (b"\xe9", "é"),
            (b"", ""),
        ] {
            for at_once in [1, 2, 3, 5, PIECE] {
                assert_eq!(all_of(bytes, at_once, ALL, None), expected, "{at_once}");
            }
        }
        let letters = Reads { letters: true, no_returns: false };
        assert_eq!(all_of(b"caf\xe9\r\n", 9, letters, None), "café\r\n");
        assert_eq!(all_of(b"\xd1\xc3\x94\n", 9, ALL, Some("Ã”")), "ÑÃ”\n", "it is looked for");
        assert_eq!(all_of(b"\xd1\xc3\x94\n", 9, ALL, Some("Ô")), "ÑÔ\n");
    }

    #[test]
    fn a_long_line_is_taken_in_pieces_and_no_letter_is_cut() {
        for start in 0..4 {
            let text = format!("{}{}\r\nnext\r\n", "x".repeat(start), "aé漢😀\r".repeat(40_000));
            let expected = text.replace("\r\r\n", "\n").replace("\r\n", "\n");
            assert!(all_of(text.as_bytes(), PIECE, ALL, None) == expected, "{start}");
        }
        let text = ["é".repeat(PIECE).into_bytes(), b"\xff\n".to_vec()].concat();
        let mut shown = AsShown::new(text.as_slice(), ALL, None);
        shown.read_to_end(&mut Vec::new()).unwrap();
        assert!(shown.raw.capacity() + shown.ready.capacity() < 8 * PIECE);
        assert_eq!(all_of(&b"\r".repeat(3 * PIECE), PIECE, ALL, None).trim_matches('\r'), "");
    }

    proptest! {
        #[test]
        fn it_makes_no_difference_in_what_pieces_it_comes(
            parts in proptest::collection::vec(
                prop::sample::select(vec!["\n".as_bytes(), b"\r\n", b"\r", b"\xe9", "é😀".as_bytes(), b"abc"]),
                0..30,
            ),
            at_once in 1_usize..9,
        ) {
            let bytes = parts.concat();
            prop_assert_eq!(all_of(&bytes, at_once, ALL, None), all_of(&bytes, PIECE, ALL, None));
        }
    }
}
