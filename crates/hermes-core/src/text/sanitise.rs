//! Error texts made safe to show a model: no framing tokens, no control bytes, bounded.

use std::borrow::Cow;

use super::{control, fences, framing};
use crate::redact::Redactor;

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
    sanitise_redacted(message, &Redactor::none())
}

/// The same without secrets. What is removed can have hidden a secret, and a marker can stand where a
/// token now ends, so both are repeated until neither finds anything.
pub fn sanitise_redacted(message: &str, redactor: &Redactor) -> String {
    // Before anything is removed or cut, since a secret may hold what looks like a token.
    let message = redactor.redact_text(message);
    let bounded = message.get(..message.floor_char_boundary(MAX_INPUT_BYTES)).unwrap_or_default();
    let mut body = control::strip(bounded);
    settle(&mut body, redactor);
    // A marker may be longer than what it stands for, so that the text grows over its bound again.
    for _ in 0..MAX_PASSES {
        if !shorten(&mut body) {
            break;
        }
        settle(&mut body, redactor);
    }
    shorten(&mut body);
    body.insert_str(0, ERROR_PREFIX);
    body
}

/// Removes tokens and secrets until there are none.
fn settle(body: &mut String, redactor: &Redactor) {
    if !(0..MAX_PASSES).any(|_| !strip_once(body, redactor)) {
        // Only text built to survive gets here: without these characters no token can form.
        body.retain(|c| !matches!(c, '<' | '>' | '[' | ']' | '`'));
        redact(body, redactor);
    }
}

/// Cuts a body that is too long; tells whether it was.
fn shorten(body: &mut String) -> bool {
    let Some((cut, _)) = body.char_indices().nth(MAX_CHARS - ELLIPSIS.len()) else { return false };
    let long = body.chars().nth(MAX_CHARS).is_some();
    if long {
        body.truncate(cut);
        body.push_str(ELLIPSIS);
    }
    long
}

/// One pass of every removal; tells whether anything changed.
fn strip_once(body: &mut String, redactor: &Redactor) -> bool {
    let mut changed = false;
    for strip in [framing::strip, fences::strip, without_prefix] {
        if let Some(stripped) = strip(body) {
            *body = stripped;
            changed = true;
        }
    }
    redact(body, redactor) || changed
}

fn redact(body: &mut String, redactor: &Redactor) -> bool {
    let clean = match redactor.redact_text(body) {
        Cow::Owned(clean) if clean != *body => clean,
        _ => return false,
    };
    *body = clean;
    true
}

/// The text without role tags and template marks; everything else stays as it is.
pub fn unframed(text: &str) -> Cow<'_, str> {
    let mut clean = Cow::Borrowed(text);
    for _ in 0..MAX_PASSES {
        match framing::strip(&clean) {
            Some(stripped) => clean = Cow::Owned(stripped),
            None => return clean,
        }
    }
    clean.chars().filter(|c| !matches!(c, '<' | '>' | '[' | ']')).collect::<String>().into()
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
