//! Accents: `é` may be one character or a letter and a mark. Both look the same and mean the same.

use std::borrow::Cow;
use std::iter::once;
use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::carried::carried;
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

/// `new` as it is to stand where `old` was found as `region`: lines that it repeats stay as the file has them, and so do
/// words in others. The rest is put together in the way the replaced text is.
pub(crate) fn keep_accents(region: &str, old: &str, new: &str) -> String {
    let (asked, wanted) = (composed(old).text, composed(new).text);
    let (olds, news): (Vec<&str>, Vec<&str>) = (asked.split('\n').collect(), wanted.split('\n').collect());
    let own: Vec<&str> = region.split('\n').collect();
    if own.len() != olds.len() {
        return as_in(region, new);
    }
    let mut lines: Vec<String> = Vec::with_capacity(news.len());
    for change in capture_diff_slices(Algorithm::Myers, &olds, &news) {
        let (tag, old_part, new_part) = change.as_tag_tuple();
        let gone = own.get(old_part.clone()).unwrap_or_default();
        let (asked, added) = (olds.get(old_part).unwrap_or_default(), news.get(new_part).unwrap_or_default());
        match tag {
            DiffTag::Equal => lines.extend(gone.iter().map(|line| (*line).to_owned())),
            DiffTag::Delete => {}
            DiffTag::Insert => lines.extend(added.iter().map(|line| as_in(region, line))),
            DiffTag::Replace if gone.len() == added.len() => {
                let each = gone.iter().zip(asked).zip(added);
                lines.extend(each.map(|((own, asked), added)| with_own_words(own, asked, added)));
            }
            DiffTag::Replace => lines.extend(added.iter().map(|line| as_in(&gone.join("\n"), line))),
        }
    }
    lines.join("\n")
}

/// A line with the words as the file has them that it repeats. A sign that only stands for another becomes that one.
fn with_own_words(own: &str, asked: &str, added: &str) -> String {
    let view = composed(own);
    let place = |part| {
        let place = view.original(part)?;
        let word = own.get(place.clone())?;
        word.chars().all(|letter| once(letter).nfc().eq(once(letter))).then_some(place)
    };
    carried(own, asked, added, place, |added| as_in(own, added))
}

/// `new` put together in the way the replaced text is.
fn as_in(region: &str, new: &str) -> String {
    if is_decomposed(region) { new.nfd().collect() } else { new.nfc().collect() }
}

/// A text put together in the way another is, if that one has all its accents by themselves.
pub(super) fn in_form_of(region: &str, text: &str) -> String {
    if is_decomposed(region) { text.nfd().collect() } else { text.to_owned() }
}

/// Whether all accents of a text are marks by themselves.
fn is_decomposed(text: &str) -> bool {
    text.nfc().ne(text.chars()) && text.nfd().eq(text.chars())
}

/// The text with every letter and its marks seen as one.
fn composed(text: &str) -> View {
    View::new(text, first_composed)
}

/// How many bytes the letter takes that a text begins with, its marks with it, and the two as one; none if they are.
pub(super) fn first_composed(text: &str) -> (usize, Cow<'static, str>) {
    let mut characters = text.char_indices().skip(1);
    let end = characters.find(|(_, next)| !joins(*next)).map_or(text.len(), |(at, _)| at);
    let cluster = text.get(..end).unwrap_or_default();
    let is_alone = cluster.chars().nth(1).is_none();
    // The sign of the kelvin only looks like a plain letter.
    let is_itself = is_alone && (is_nfc(cluster) || cluster.nfc().all(|letter| letter.is_ascii()));
    if is_itself { (0, "".into()) } else { (end, Cow::Owned(cluster.nfc().collect())) }
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
        assert_eq!(in_form_of(decomposed, "th\u{e9}"), "the\u{301}");
        assert_eq!(find_all("\u{1112}\u{1161}\u{11ab}", "\u{d55c}").first(), Some(&(0..9)));
        assert!(find_all("\u{1112}\u{1161}\u{11ab}", "\u{d558}").is_empty(), "half a syllable is not it");
        assert_eq!(find_all("5 \u{212b}", "5 \u{c5}").first(), Some(&(0..5)));
        assert_eq!(keep_accents("caf\u{e9}", "cafe\u{301}", "the\u{301}"), "th\u{e9}");
        assert_eq!(keep_accents("e\u{301} ü", "é ü", "é ü x"), "e\u{301} ü x");
        assert_eq!(keep_accents("5 \u{212b} ä", "5 \u{c5} ä", "6 \u{c5} ä"), "6 \u{c5} ä");
        let mixed = "cafe\u{301}\nth\u{e9}\nx";
        let (old, new) = ("caf\u{e9}\nthe\u{301}\nx", "caf\u{e9}\nthe\u{301}\nl\u{e9}");
        assert_eq!(keep_accents(mixed, old, new), "cafe\u{301}\nth\u{e9}\nl\u{e9}");
    }
}
