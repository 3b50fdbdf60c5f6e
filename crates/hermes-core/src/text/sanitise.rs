//! Error texts made safe to show a model: no framing tokens, no control bytes, bounded.

use super::{control, fences, framing};

/// Marks a text as the error of a tool, for the model and for whoever sees it again.
pub const ERROR_PREFIX: &str = "[TOOL_ERROR] ";

const MAX_CHARS: usize = 2000;
const ELLIPSIS: &str = "...";
/// Nothing beyond this can matter for 2000 characters of message.
const MAX_INPUT_BYTES: usize = 64 * 1024;
/// Removing a token can form another one. Honest text settles in two passes.
const MAX_PASSES: usize = 16;

/// The error text as the model may read it: prefixed once, without role tags, chat-template marks,
/// code fences, CDATA, terminal escapes and control bytes, in at most 2000 characters.
pub fn sanitise_error(message: &str) -> String {
    let bounded = message.get(..message.floor_char_boundary(MAX_INPUT_BYTES)).unwrap_or_default();
    let mut body = control::strip(bounded);
    if !(0..MAX_PASSES).any(|_| !strip_once(&mut body)) {
        // Only text built to survive gets here: without these characters no token can form.
        body.retain(|c| !matches!(c, '<' | '>' | '[' | ']' | '`'));
    }
    if let Some((cut, _)) = body.char_indices().nth(MAX_CHARS - ELLIPSIS.len())
        && body.chars().nth(MAX_CHARS).is_some()
    {
        body.truncate(cut);
        body.push_str(ELLIPSIS);
    }
    body.insert_str(0, ERROR_PREFIX);
    body
}

/// One pass of every removal; tells whether anything changed.
fn strip_once(body: &mut String) -> bool {
    let mut changed = false;
    for strip in [framing::strip, fences::strip, without_prefix] {
        if let Some(stripped) = strip(body) {
            *body = stripped;
            changed = true;
        }
    }
    changed
}

/// The text without prefixes of earlier rounds, or nothing if it has none.
fn without_prefix(text: &str) -> Option<String> {
    let mark = ERROR_PREFIX.trim_end();
    let mut rest = text.trim_start().strip_prefix(mark)?;
    loop {
        rest = rest.strip_prefix(' ').unwrap_or(rest);
        match rest.trim_start().strip_prefix(mark) {
            Some(next) => rest = next,
            None => return Some(rest.to_owned()),
        }
    }
}
