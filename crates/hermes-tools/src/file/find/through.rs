//! One file taken through a search.

use std::io::{self, Read};

use grep_searcher::{Searcher, Sink};

use super::as_shown::AsShown;
use super::pattern::{MOST_AT_ONCE, Pattern};
use super::reads::Reads;
use crate::file::text::decode::utf8_stream;
use crate::file::text::sniff::Charset;

/// Searches a file as it is shown, where that can make a difference to the pattern, or else its bytes as they come.
pub(super) fn search(
    (searcher, pattern): (&mut Searcher, &Pattern),
    mut file: impl Read,
    sink: impl Sink<Error = io::Error>,
) -> io::Result<()> {
    if pattern.reads == Reads::default() {
        return searcher.search_reader(&pattern.matcher, file, sink);
    }
    // As many as the searcher asks for first, so that nothing is read in smaller parts than without this.
    let mut first = Vec::with_capacity(3);
    file.by_ref().take(3).read_to_end(&mut first)?;
    let charset = match first.as_slice() {
        [0xff, 0xfe, ..] => Charset::Utf16Le,
        [0xfe, 0xff, ..] => Charset::Utf16Be,
        _ => Charset::Utf8,
    };
    let whole = first.chain(file);
    let matcher = (!searcher.multi_line_with_matcher(&pattern.matcher)).then_some(&pattern.matcher);
    if charset.is_utf16() {
        let shown = AsShown::new(utf8_stream(whole, charset), pattern.reads, matcher);
        return searcher.search_reader(&pattern.matcher, shown, sink);
    }
    let shown = AsShown::new(whole, pattern.reads, matcher);
    searcher.search_reader(&pattern.matcher, shown, sink)
}

/// Why a file was searched only in part.
pub(super) fn why_in_part(error: &io::Error, multiline: bool) -> String {
    match error.raw_os_error() {
        Some(_) => format!("only a part of it could be read ({error})"),
        None if multiline => {
            format!("with multiline only files of up to {} MiB are searched to their end", MOST_AT_ONCE >> 20)
        }
        None => format!("searched only up to a line of more than {} MiB", MOST_AT_ONCE >> 20),
    }
}

#[cfg(test)]
mod tests {
    use grep_searcher::sinks::Bytes;

    use super::*;
    use crate::file::find::pattern::{Case, searcher};

    /// Counts what is read of it.
    struct Counted<'a>(&'a [u8], &'a mut usize);

    impl Read for Counted<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let length = self.0.read(out)?;
            *self.1 += length;
            Ok(length)
        }
    }

    #[test]
    fn of_what_is_no_text_only_the_beginning_is_read() {
        let bytes: Vec<u8> =
            (0..4_000_000_u32).flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        for pattern in ["plain", "café", "na.ve$"] {
            let (pattern, mut read) = (Pattern::new(pattern, Case::Sensitive, false).unwrap(), 0);
            let how = (&mut searcher(0, false), &pattern);
            search(how, Counted(&bytes, &mut read), Bytes(|_, _| Ok(true))).unwrap();
            assert!(read < 300_000, "{pattern:?}: {read}");
        }
    }
}
