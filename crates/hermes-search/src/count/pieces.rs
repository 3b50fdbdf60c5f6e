//! How text is cut before pairs are joined. Definitions are nearly always plain ASCII, which is cut by hand; the pattern
//! for all scripts takes time to set up.

use std::sync::LazyLock;

use regex::Regex;

/// The published pattern looks ahead after white space; what it sees there is done by hand in [`by_pattern`].
const PATTERN: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n/]*",
    r"|\s*[\r\n]+",
    r"|\s+",
);

static ALL_SCRIPTS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PATTERN).ok());

/// The pieces of a text, in order.
pub(super) fn each_piece<'a>(text: &'a str, take: &mut dyn FnMut(&'a str)) {
    if text.is_ascii() {
        return by_hand(text, take);
    }
    match &*ALL_SCRIPTS {
        Some(pattern) => by_pattern(pattern, text, take),
        None => take(text),
    }
}

fn by_pattern<'a>(pattern: &Regex, text: &'a str, take: &mut dyn FnMut(&'a str)) {
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|_| pattern.find_at(text, at)) {
        let mut end = found.end();
        let piece = found.as_str();
        // White space before a word leaves its last character to the word.
        let is_space = piece.chars().all(char::is_whitespace) && !piece.contains(['\r', '\n']);
        let before_word =
            text.get(end..).and_then(|rest| rest.chars().next()).is_some_and(|next| !next.is_whitespace());
        if is_space
            && before_word
            && let Some(last) = piece.chars().next_back().filter(|last| last.len_utf8() < piece.len())
        {
            end -= last.len_utf8();
        }
        if let Some(piece) = text.get(found.start()..end) {
            take(piece);
        }
        at = end.max(at + 1);
    }
}

/// What the pattern comes to where every character is a byte.
fn by_hand<'a>(text: &'a str, take: &mut dyn FnMut(&'a str)) {
    let mut rest = text;
    while !rest.is_empty() {
        let length = first_piece(rest.as_bytes()).clamp(1, rest.len());
        let Some((piece, after)) = rest.split_at_checked(length) else { return };
        take(piece);
        rest = after;
    }
}

/// The length of the piece that a text begins with.
fn first_piece(text: &[u8]) -> usize {
    let Some(&first) = text.first() else { return 0 };
    let is_letter = first.is_ascii_alphabetic();
    let joins = !is_letter && !first.is_ascii_digit() && !is_line_end(first);
    if let Some(word) = text.get(usize::from(joins)..).and_then(word) {
        return usize::from(joins) + word;
    }
    if first.is_ascii_digit() {
        return run(text, |byte| byte.is_ascii_digit()).min(3);
    }
    let blank = usize::from(first == b' ');
    let signs = text.get(blank..).map_or(0, |rest| run(rest, is_sign));
    if signs > 0 {
        let end = blank + signs;
        return end + text.get(end..).map_or(0, |rest| run(rest, |byte| is_line_end(byte) || byte == b'/'));
    }
    let space = run(text, is_space);
    let ends = text.get(..space).and_then(|space| space.iter().rposition(|byte| is_line_end(*byte)));
    match ends {
        Some(last) => last + 1,
        // White space before a word leaves its last character to the word.
        None if space > 1 && space < text.len() => space - 1,
        None => space,
    }
}

/// The length of the word that a text begins with, and of what is contracted with it.
fn word(text: &[u8]) -> Option<usize> {
    let upper = run(text, |byte| byte.is_ascii_uppercase());
    let letters = upper + text.get(upper..).map_or(0, |rest| run(rest, |byte| byte.is_ascii_lowercase()));
    let after = text.get(letters..).filter(|_| letters > 0)?;
    Some(letters + contracted(after))
}

fn contracted(text: &[u8]) -> usize {
    let [b'\'', first, rest @ ..] = text else { return 0 };
    let second = rest.first().map(u8::to_ascii_lowercase);
    match (first.to_ascii_lowercase(), second) {
        (b's' | b't' | b'm' | b'd', _) => 2,
        (b'r' | b'v', Some(b'e')) | (b'l', Some(b'l')) => 3,
        _ => 0,
    }
}

fn run(text: &[u8], is_in: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|byte| is_in(**byte)).count()
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

fn is_sign(byte: u8) -> bool {
    !is_space(byte) && !byte.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn assert_same(text: &str) {
        let (mut hand, mut pattern) = (Vec::new(), Vec::new());
        by_hand(text, &mut |piece| hand.push(piece));
        by_pattern(ALL_SCRIPTS.as_ref().unwrap(), text, &mut |piece| pattern.push(piece));
        assert_eq!(hand, pattern, "{text:?}");
    }

    #[test]
    fn what_is_cut_by_hand_is_cut_as_the_pattern_has_it() {
        for text in [
            "don't WE'LL he'Re I'V 'S 'twas x'll y'lx",
            "getUserInfo HTTPServer2 HTTPServers A aB Ab ABc",
            "  two  spaces\n\n\tTab   end  ",
            "a \r\n \t\n b\u{b}\u{c}c \u{1c}\u{7f}\0d",
            " //x\r\n/y !? \n {\"a\":[1234567,-1.5e10]} a/b//\n/c  /",
            "\t\tx \tx\t x  \n  x",
        ] {
            assert_same(text);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_cut_alike(text in "[aZ0 '/.\t\r\n\x00-\x7f]{0,24}") {
            assert_same(&text);
        }
    }
}
