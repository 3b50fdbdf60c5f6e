//! A part of a text that must go, and the cutting itself.

use std::borrow::Cow;

/// The bytes from `start` to `end`, to be replaced by `marker`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span<'m> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) marker: &'m str,
}

/// Puts the markers in. Where spans overlap, the earlier one is shown and both are gone.
pub(super) fn splice<'t>(text: &'t str, mut spans: Vec<Span<'_>>) -> Cow<'t, str> {
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut clean = String::with_capacity(text.len());
    let mut done = 0;
    for span in spans {
        if span.start >= done {
            clean.push_str(text.get(done..span.start).unwrap_or_default());
            clean.push_str(span.marker);
        }
        done = done.max(span.end);
    }
    clean.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(clean)
}
