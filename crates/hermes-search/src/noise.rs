//! Rows of letters that are no word of any language.

use crate::tokens::{fold, is_stop_word, pieces};

/// Letters of a word, at least and at most.
const SHORTEST: usize = 4;
const LONGEST: usize = 30;
/// Letters of one kind in a row, at most.
const MOST_CONSONANTS: usize = 4;
const MOST_VOWELS: usize = 3;
/// Neighbours on a keyboard in a row that nobody types for a word.
const ROW: usize = 4;
const KEYBOARD: &[&str] = &["qwertzuiop", "qwertyuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm", "azerty"];

/// Whether any word of a text is built as words are, whatever it means.
pub(crate) fn has_words(text: &str) -> bool {
    pieces(text).map(fold).any(|word| !is_stop_word(&word) && is_built_as_word(&word))
}

/// Vowels between consonants, and no row of a keyboard.
fn is_built_as_word(word: &str) -> bool {
    let letters = word.as_bytes();
    if !(SHORTEST..=LONGEST).contains(&letters.len()) || !letters.iter().all(u8::is_ascii_lowercase) {
        return false;
    }
    let is_vowel = |letter: &u8| b"aeiouy".contains(letter);
    let runs: Vec<(bool, usize)> = letters
        .chunk_by(|a, b| is_vowel(a) == is_vowel(b))
        .map(|run| (run.first().is_some_and(is_vowel), run.len()))
        .collect();
    let most = |vowels: bool| if vowels { MOST_VOWELS } else { MOST_CONSONANTS };
    let same = letters.chunk_by(|a, b| a == b).any(|run| run.len() > 2);
    runs.len() > 1 && !same && runs.iter().all(|(vowels, count)| *count <= most(*vowels)) && !is_typed(word)
}

fn is_typed(word: &str) -> bool {
    let backwards: String = word.chars().rev().collect();
    let has_row = |word: &str| {
        let starts = 0..=word.len().saturating_sub(ROW);
        starts.filter_map(|at| word.get(at..at + ROW)).any(|run| KEYBOARD.iter().any(|row| row.contains(run)))
    };
    has_row(word) || has_row(&backwards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_rows_of_letters() {
        for words in [
            "photosynthesis",
            "Bodenfeuchte",
            "toprak nemi",
            "zbanuj gracza",
            "bannir un joueur",
            "custodians",
        ] {
            assert!(has_words(words), "{words}");
        }
        for noise in
            ["asdf", "qwertz lkjh", "zzzz", "xqzv wkjh", "aaaaaa", "the of and", "12 345", "🙂", "xxxxxxxx"]
        {
            assert!(!has_words(noise), "{noise}");
        }
    }
}
