//! As much of a foreign text as a model needs to see.

use hermes_core::text::head_tail;

/// The text, or its beginning and end with a mark between them.
pub(crate) fn excerpt(text: &str, max_chars: usize) -> String {
    match head_tail(text, max_chars) {
        Some((head, tail)) => format!("{head}\n[…]\n{tail}"),
        None => text.to_owned(),
    }
}
