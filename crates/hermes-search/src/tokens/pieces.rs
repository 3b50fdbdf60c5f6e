//! Cuts text into pieces at everything that is no letter or digit, and names into their words.

/// The maximal runs of letters and digits.
pub fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || is_joiner(letter)))
        .filter(|piece| !piece.is_empty())
}

/// Accents written as characters of their own belong to the letter before them.
fn is_joiner(letter: char) -> bool {
    !letter.is_ascii() && unicode_normalization::char::is_combining_mark(letter)
}

/// The words of one piece: `getUserInfo` is get, User, Info; `HTTPServer2` is HTTP, Server, 2. Scripts
/// without spaces are cut from others but not inside.
pub fn words(piece: &str) -> impl Iterator<Item = &str> {
    let mut rest = piece;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (word, after) = rest.split_at(first_word_length(rest));
        rest = after;
        Some(word)
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    Lower,
    Digit,
    Unspaced,
}

fn kind(letter: char) -> Kind {
    if letter.is_numeric() {
        Kind::Digit
    } else if is_unspaced(letter) {
        Kind::Unspaced
    } else if letter.is_uppercase() {
        Kind::Upper
    } else {
        Kind::Lower
    }
}

/// Bytes up to where the first word of a non-empty piece ends.
fn first_word_length(piece: &str) -> usize {
    let mut letters = piece.char_indices().map(|(at, letter)| (at, kind(letter)));
    let Some((_, mut before)) = letters.next() else { return 0 };
    let mut letters = letters.peekable();
    while let Some((at, now)) = letters.next() {
        let capital_of_next = now == Kind::Upper
            && before == Kind::Upper
            && letters.peek().is_some_and(|(_, next)| *next == Kind::Lower);
        let same_word = now == before || (before == Kind::Upper && now == Kind::Lower);
        if capital_of_next || !same_word {
            return at;
        }
        before = now;
    }
    piece.len()
}

/// Letters of scripts that put no space between words.
pub fn is_unspaced(letter: char) -> bool {
    matches!(u32::from(letter),
        0x0E00..=0x0EFF      // Thai, Lao
        | 0x1000..=0x109F    // Myanmar
        | 0x1780..=0x17FF    // Khmer
        | 0x3040..=0x30FF    // Hiragana, Katakana
        | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x323AF // Han
        | 0xAC00..=0xD7AF // Hangul: words have spaces, but endings stick to them
        | 0xFF66..=0xFF9F)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        pieces(text).flat_map(words).collect()
    }

    #[test]
    fn names_fall_into_their_words() {
        assert_eq!(cut("getUserInfo"), ["get", "User", "Info"]);
        assert_eq!(cut("HTTPServer"), ["HTTP", "Server"]);
        assert_eq!(cut("mcp__k8s__get-pods.v2"), ["mcp", "k", "8", "s", "get", "pods", "v", "2"]);
        assert_eq!(cut("parseJSON"), ["parse", "JSON"]);
        assert_eq!(cut("查询12306余票"), ["查询", "12306", "余票"]);
        assert_eq!(cut("Создать событие"), ["Создать", "событие"]);
        assert!(cut("!!! ???").is_empty());
    }
}
