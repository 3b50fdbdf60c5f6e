//! Lines of an input, each at most so long. One that cannot be read is an answerable error, not the end.

use std::io::{BufRead, Read};

use super::line_id::LineId;
use super::run::MAX_REQUEST_BYTES;

/// A line that was not read, and whose it is as far as its beginning tells.
pub(super) struct Unread {
    pub(super) id: LineId,
    pub(super) why: String,
}

/// The next line; nothing at the end of the input.
pub(super) fn next_line(input: &mut impl BufRead) -> Option<Result<String, Unread>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(MAX_REQUEST_BYTES).read_until(b'\n', &mut bytes);
    if !matches!(read, Ok(1..)) {
        return None;
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == MAX_REQUEST_BYTES {
        skip_line(input);
        let why = format!("the line is longer than {} MiB", MAX_REQUEST_BYTES >> 20);
        return Some(Err(Unread { id: id_of(&bytes), why }));
    }
    // The end of the line is no second line, where an error says what is missing.
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    let text = String::from_utf8(bytes).map_err(|error| Unread {
        id: id_of(error.as_bytes()),
        why: "the line is not UTF-8 text".to_owned(),
    });
    Some(text)
}

/// What stands before the first byte that is no text says whose the line is, or nothing does.
fn id_of(bytes: &[u8]) -> LineId {
    bytes.utf8_chunks().next().map_or_else(LineId::none, |chunk| LineId::of(chunk.valid()))
}

fn skip_line(input: &mut impl BufRead) {
    loop {
        let (used, done) = match input.fill_buf() {
            Ok([]) | Err(_) => return,
            Ok(chunk) => match chunk.iter().position(|byte| *byte == b'\n') {
                Some(end) => (end + 1, true),
                None => (chunk.len(), false),
            },
        };
        input.consume(used);
        if done {
            return;
        }
    }
}
