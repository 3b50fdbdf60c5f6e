//! Texts in one spelling, so that the same words look the same: case, accents, width and disguises do not count.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What stands between the letters of a word that is spelled out.
const BETWEEN: [char; 5] = ['-', '.', '_', '*', '\u{b7}'];

/// The text in small letters without accents, hidden characters and quotation marks of print.
pub(super) fn folded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().filter(|c| *c == '\n' || !is_hidden(*c)) {
        match c {
            '\u{2018}' | '\u{2019}' => plain.push('\''),
            '\u{201c}' | '\u{201d}' => plain.push('"'),
            ' '..='~' | '\n' => plain.push(c.to_ascii_lowercase()),
            _ if is_styled(c) => {
                let letters = std::iter::once(c).nfkd().filter(|part| !is_combining_mark(*part));
                plain.extend(letters.flat_map(char::to_lowercase));
            }
            _ => plain.extend(c.to_lowercase()),
        }
    }
    plain
}

/// The text with words made plain that are spelled out or written with digits, where there are any.
pub(super) fn undisguised(text: &str) -> Option<String> {
    let words: Vec<Cow<'_, str>> = text.split(' ').map(undisguised_word).collect();
    words.iter().any(|word| matches!(word, Cow::Owned(_))).then(|| words.join(" "))
}

/// Whether a character does not show.
pub(super) fn is_hidden(c: char) -> bool {
    if matches!(c, ' '..='~') {
        return false;
    }
    let mut buffer = [0; 4];
    hermes_core::text::visible(c.encode_utf8(&mut buffer)) != *c.encode_utf8(&mut [0; 4])
}

/// Latin letters with accents, wide ones, and those of formulas.
fn is_styled(c: char) -> bool {
    matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{2100}'..='\u{214f}' | '\u{24b6}'..='\u{24e9}' | '\u{ff01}'..='\u{ff5e}' | '\u{1d400}'..='\u{1d7ff}')
}

fn undisguised_word(word: &str) -> Cow<'_, str> {
    let letters = || word.chars().enumerate().filter(|(_, c)| !BETWEEN.contains(c));
    let spelled_out = word.chars().count() >= 7
        && word
            .chars()
            .enumerate()
            .all(|(at, c)| BETWEEN.contains(&c) == (at % 2 == 1) || !c.is_alphanumeric());
    if spelled_out {
        return letters().map(|(_, c)| c).collect::<String>().into();
    }
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let others = word.chars().filter(char::is_ascii_alphabetic).count();
    if digits == 0 || others < 2 || others < digits || !word.is_ascii() {
        return Cow::Borrowed(word);
    }
    word.chars().map(meant).collect::<String>().into()
}

/// The letter that a digit looks like.
fn meant(c: char) -> char {
    match c {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_word_are_one() {
        for text in ["Ignore", "i\u{200b}gnore", "ｉｇｎｏｒｅ", "\u{1d422}gnore", "Ígnoré"] {
            assert_eq!(folded(text), "ignore", "{text}");
        }
        assert_eq!(undisguised("1gn0re i-g-n-o-r-e all").as_deref(), Some("ignore ignore all"));
        assert_eq!(undisguised("plain words, 42 of them"), None);
    }
}
