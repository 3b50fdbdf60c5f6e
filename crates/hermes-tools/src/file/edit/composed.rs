//! Accents: `é` may be one character or a letter and a mark. Both look the same and mean the same.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

use super::view::View;

/// All places in `text` that equal `old` but for how letters and marks are put together.
pub(super) fn find_all(text: &str, old: &str) -> Vec<Range<usize>> {
    if old.is_ascii() || text.is_ascii() {
        return Vec::new();
    }
    composed(text).find_all(&composed(old).text)
}

/// `new` put together in the way the replaced text is.
pub(super) fn as_in(region: &str, new: &str) -> String {
    let is_decomposed = region.nfc().ne(region.chars()) && region.nfd().eq(region.chars());
    if is_decomposed { new.nfd().collect() } else { new.nfc().collect() }
}

/// The text with every letter and its marks seen as one.
fn composed(text: &str) -> View {
    View::new(text, |rest| {
        let mut characters = rest.char_indices();
        let Some((_, first)) = characters.next() else { return (0, "".into()) };
        let is_mark = |(_, next): &(usize, char)| canonical_combining_class(*next) != 0;
        let end = characters.find(|next| !is_mark(next)).map_or(rest.len(), |(at, _)| at);
        match rest.get(..end) {
            Some(cluster) if end > first.len_utf8() => (end, Cow::Owned(cluster.nfc().collect())),
            _ => (0, "".into()),
        }
    })
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
        assert_eq!(as_in("caf\u{e9}", "the\u{301}"), "th\u{e9}");
    }
}
