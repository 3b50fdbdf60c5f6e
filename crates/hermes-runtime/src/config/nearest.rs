//! The known name that a misspelt one was meant to be.

use hermes_core::names;

/// The candidate nearest to `word`, if any is near enough to be meant.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names::nearest(word, candidates.into_iter(), 1).first().copied()
}
