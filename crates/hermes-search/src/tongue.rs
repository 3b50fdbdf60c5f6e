//! What a query as a whole is written in.

use crate::tokens::is_stop_word;

/// English words mean themselves in an English query: `pasta` is no folder and `data` no date there, whatever
/// they are elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tongue {
    English,
    Foreign,
}

/// A shorter word tells no language.
const SHORTEST_TELLING: usize = 3;

/// Small words that other languages have too.
const SHARED_STOP_WORDS: &[&str] = &[
    "a", "also", "am", "an", "as", "at", "do", "has", "he", "her", "i", "in", "is", "it", "like", "me",
    "must", "my", "on", "or", "so", "to", "us", "via", "was", "we", "will",
];

/// How sure a word of ASCII letters, in lower case, tells that a text is English by being a small word of it;
/// `None` for a word that says something.
pub(crate) fn small_word(word: &str) -> Option<bool> {
    let is_small = is_stop_word(word) || word.len() < SHORTEST_TELLING;
    is_small.then(|| is_stop_word(word) && !SHARED_STOP_WORDS.contains(&word))
}
