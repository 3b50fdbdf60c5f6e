//! What every strategy leaves of a text: its letters. Where those of the old text are not among those of the file, none
//! of them can find it, and most refusals cost no more than this look.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::punctuation::plain_sign;

/// Whether a strategy that looks past blanks, line endings, typography and accents could find `old`.
pub(crate) fn could_fit(content: &str, old: &str) -> bool {
    let wanted = gist(&composed(old));
    wanted.is_empty() || gist(&composed(content)).contains(&wanted)
}

/// The text with its accents put together.
fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc(text) { text.into() } else { text.nfc().collect::<String>().into() }
}

/// The text without blanks, with plain signs, and with one dash for several: `—` stands for one or for two.
pub(super) fn gist(text: &str) -> String {
    let mut gist = String::with_capacity(text.len());
    for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
        match plain_sign(letter) {
            Some("-") if gist.ends_with('-') => {}
            Some(sign) => gist.push_str(sign),
            None if letter == '-' && gist.ends_with('-') => {}
            None => gist.push(letter),
        }
    }
    gist
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::file::edit::strategies::{OTHER_LETTERS, TOLERANT};

    fn text() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "a", "b", "x = 1", " ", "  ", "\t", "\n", "it's", "it’s", "-", "--", "–", "—", "…", "...",
            "\u{a0}", "\"", "“", "é", "e\u{301}", "\u{212b}",
        ]);
        prop::collection::vec(piece, 1..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        /// A strategy that is left out would have found nothing.
        #[test]
        fn what_is_found_fits(content in text(), old in text()) {
            prop_assume!(!could_fit(&content, &old));
            let others: Vec<&str> = OTHER_LETTERS.iter().map(|(name, _)| *name).collect();
            for (name, find) in TOLERANT.iter().filter(|(name, _)| !others.contains(name)) {
                prop_assert!(find(&content, &old, "NEW").is_empty(), "{}", name);
            }
        }
    }
}
