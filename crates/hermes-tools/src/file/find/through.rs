//! One file taken through a search.

use std::io::{self, Read};

use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink};

use super::pattern::MOST_AT_ONCE;
use crate::file::text::decode::from_latin1;

/// Searches the characters of a file for a pattern with letters beyond ASCII: where they are not UTF-8, they are taken for
/// what read_file shows. Other patterns need no letters to be told from others, and read the bytes as they come.
pub(super) fn search(
    (searcher, matcher): (&mut Searcher, &RegexMatcher),
    mut file: impl Read,
    by_letters: bool,
    sink: impl Sink<Error = io::Error>,
) -> io::Result<()> {
    if !by_letters {
        return searcher.search_reader(matcher, file, sink);
    }
    let mut bytes = Vec::new();
    file.by_ref().take(MOST_AT_ONCE as u64).read_to_end(&mut bytes)?;
    if bytes.len() == MOST_AT_ONCE || std::str::from_utf8(&bytes).is_ok() || has_mark(&bytes) {
        return searcher.search_reader(matcher, bytes.chain(file), sink);
    }
    searcher.search_slice(matcher, from_latin1(&bytes).as_bytes(), sink)
}

/// UTF-16 says so, and the searcher reads it.
fn has_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
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
