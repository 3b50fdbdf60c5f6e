//! What single Han letters mean: a word that no table has is made of letters that mean something alone.

use std::collections::HashMap;
use std::sync::LazyLock;

static TABLE: &str = include_str!("../data/characters.tsv");

static LETTERS: LazyLock<HashMap<char, &'static str>> = LazyLock::new(|| {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    let mut letters = HashMap::new();
    for (english, row) in lines {
        for letter in row.chars() {
            letters.entry(letter).or_insert(english);
        }
    }
    letters
});

/// The English words for a letter, in the form of all meanings.
pub(crate) fn meaning_of(letter: char) -> Option<&'static str> {
    LETTERS.get(&letter).copied()
}
