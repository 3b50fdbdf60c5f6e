//! The encoder's own alphabet: whole words where it knows them, pieces of words where it does not.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::tokens;

static VOCABULARY: &str = include_str!("../../model/vocab.txt");

/// The beginning and the end of every text.
const FIRST: u32 = 2;
const LAST: u32 = 3;
const UNKNOWN: u32 = 1;
/// A longer word is not looked at.
const LONGEST_WORD: usize = 100;

static WORD_PIECE: LazyLock<WordPiece> = LazyLock::new(|| WordPiece {
    whole: (0..).zip(VOCABULARY.lines()).filter(|(_, piece)| !piece.starts_with("##")).map(swap).collect(),
    inner: (0..)
        .zip(VOCABULARY.lines())
        .filter_map(|(id, piece)| Some((piece.strip_prefix("##")?, id)))
        .collect(),
});

fn swap((id, piece): (u32, &'static str)) -> (&'static str, u32) {
    (piece, id)
}

pub(super) fn word_piece() -> &'static WordPiece {
    &WORD_PIECE
}

/// Whether a word in lower case is one to the encoder, not a row of letters: the words of English, and names
/// that it often uses.
pub(crate) fn is_word(word: &str) -> bool {
    WORD_PIECE.has_word(word)
}

/// Every word that it knows whole, the frequent ones first.
pub(crate) fn all_words() -> impl Iterator<Item = &'static str> {
    VOCABULARY.lines().filter(|piece| !piece.starts_with("##"))
}

/// Whether any word of a text that says something is a word to the encoder.
pub(crate) fn is_read(text: &str) -> bool {
    tokens::pieces(text).map(tokens::fold).any(|word| !tokens::is_stop_word(&word) && is_word(&word))
}

/// Whether at least half of the words of a text that say something are words to the encoder.
pub(crate) fn is_mostly_read(text: &str) -> bool {
    let words = tokens::pieces(text).flat_map(tokens::words).map(tokens::fold);
    let telling = words
        .filter(|word| word.chars().nth(2).is_some_and(char::is_alphabetic) && !tokens::is_stop_word(word));
    let (read, unread): (Vec<_>, Vec<_>) = telling.partition(|word| is_word(word));
    !read.is_empty() && read.len() >= unread.len()
}

/// Words and inner pieces with their numbers.
pub(super) struct WordPiece {
    whole: HashMap<&'static str, u32>,
    inner: HashMap<&'static str, u32>,
}

impl WordPiece {
    /// The numbers of a text, at most `most` with the two at its ends.
    pub(super) fn ids(&self, text: &str, most: usize) -> Vec<u32> {
        let mut ids = vec![FIRST];
        let room = most.saturating_sub(1);
        for word in basic_words(text) {
            if ids.len() >= room {
                break;
            }
            self.add_word(&word, &mut ids);
        }
        ids.truncate(room.max(1));
        ids.push(LAST);
        ids
    }

    /// Whether a word of three letters or more is in the alphabet whole.
    fn has_word(&self, word: &str) -> bool {
        word.chars().count() >= 3 && self.whole.contains_key(word)
    }

    /// The longest piece that fits, again and again; a word with a gap is unknown as a whole.
    fn add_word(&self, word: &str, ids: &mut Vec<u32>) {
        if word.chars().count() > LONGEST_WORD {
            return ids.push(UNKNOWN);
        }
        let before = ids.len();
        let mut rest = word;
        while !rest.is_empty() {
            let known = if rest.len() == word.len() { &self.whole } else { &self.inner };
            let ends = rest.char_indices().map(|(at, letter)| at + letter.len_utf8()).rev();
            let found = ends
                .filter_map(|end| rest.split_at_checked(end))
                .find_map(|(piece, after)| known.get(piece).map(|id| (*id, after)));
            let Some((id, after)) = found else {
                ids.truncate(before);
                return ids.push(UNKNOWN);
            };
            ids.push(id);
            rest = after;
        }
    }
}

/// Lower case without accents, cut at white space, with every mark and every Han character on its own.
fn basic_words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let letters = text.nfd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase);
    for letter in letters {
        if letter.is_whitespace() {
            words.push(String::new());
        } else if letter.is_control() || letter == '\u{FFFD}' {
        } else if is_mark(letter) || is_han(letter) {
            words.push(letter.to_string());
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.push(letter);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn is_mark(letter: char) -> bool {
    match letter.is_ascii() {
        true => letter.is_ascii_punctuation(),
        false => {
            !letter.is_alphanumeric()
                && matches!(u32::from(letter), 0xA1..=0xBF | 0x2010..=0x205E | 0x3001..=0x303F | 0xFF01..=0xFF65)
        }
    }
}

fn is_han(letter: char) -> bool {
    matches!(u32::from(letter),
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x20000..=0x2CEAF | 0xF900..=0xFAFF | 0x2F800..=0x2FA1F)
}
