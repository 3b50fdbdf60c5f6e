//! Accents: `é` may be one character or a letter and a mark. Both look the same and mean the same.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::view::View;

/// All places in `text` that equal `old` but for how letters and marks are put together.
pub(super) fn find_all(text: &str, old: &str) -> Vec<Range<usize>> {
    if old.is_ascii() || text.is_ascii() {
        return Vec::new();
    }
    composed(text).find_all(&composed(old).text)
}

/// Whether two texts are the same but for how letters and marks are put together.
pub(crate) fn is_composed_alike(left: &str, right: &str) -> bool {
    left.nfc().eq(right.nfc())
}

/// `new` put together in the way the replaced text is.
pub(super) fn as_in(region: &str, new: &str) -> String {
    let is_decomposed = region.nfc().ne(region.chars()) && region.nfd().eq(region.chars());
    if is_decomposed { new.nfd().collect() } else { new.nfc().collect() }
}

/// The text with every letter and its marks seen as one.
fn composed(text: &str) -> View {
    View::new(text, |rest| {
        let mut characters = rest.char_indices().skip(1);
        let end = characters.find(|(_, next)| !joins(*next)).map_or(rest.len(), |(at, _)| at);
        let cluster = rest.get(..end).unwrap_or_default();
        let is_alone = cluster.chars().nth(1).is_none();
        if is_alone && is_nfc(cluster) { (0, "".into()) } else { (end, Cow::Owned(cluster.nfc().collect())) }
    })
}

/// Whether a character belongs to the one before it: a mark, or the later part of a Korean syllable.
fn joins(character: char) -> bool {
    canonical_combining_class(character) != 0 || matches!(character, '\u{1160}'..='\u{11ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_found_and_kept() {
        let decomposed = "cafe\u{301} noir";
        assert_eq!(find_all(decomposed, "caf\u{e9}").first(), Some(&(0..6)));
        assert_eq!(find_all("caf\u{e9} noir", "cafe\u{301}").first(), Some(&(0..5)));
        assert!(find_all(decomposed, "cafe").is_empty(), "half a letter is not the letter");
        assert_eq!(as_in(decomposed, "th\u{e9}"), "the\u{301}");
        assert_eq!(find_all("\u{1112}\u{1161}\u{11ab}", "\u{d55c}").first(), Some(&(0..9)));
        assert!(find_all("\u{1112}\u{1161}\u{11ab}", "\u{d558}").is_empty(), "half a syllable is not it");
        assert_eq!(find_all("5 \u{212b}", "5 \u{c5}").first(), Some(&(0..5)));
        assert_eq!(as_in("caf\u{e9}", "the\u{301}"), "th\u{e9}");
    }
}
