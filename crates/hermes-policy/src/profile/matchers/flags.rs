//! The flags of a call as a set: order, bundling and long names of the commonest play no part.

use std::collections::BTreeSet;

use crate::shell::Word;

/// Long names that mean a letter with nearly every program.
const LETTERS: &[(&str, char)] = &[("--recursive", 'r'), ("--force", 'f')];

/// Dash words of at most so many letters are bundles; longer ones, such as `-delete`, are words.
const MAX_BUNDLE: usize = 4;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    letters: BTreeSet<char>,
    words: BTreeSet<String>,
}

impl Flags {
    pub(super) fn of<'a>(words: impl Iterator<Item = &'a Word>) -> Self {
        let mut flags = Flags::default();
        for word in words {
            flags.add(&word.shown());
        }
        flags
    }

    fn add(&mut self, text: &str) {
        let name = text.split_once('=').map_or(text, |(name, _)| name);
        if name.starts_with("--") {
            // A long name may be cut short.
            match LETTERS.iter().find(|(long, _)| name.len() >= 5 && long.starts_with(name)) {
                Some((_, letter)) => self.letters.insert(*letter),
                None => self.words.insert(text.to_owned()),
            };
            return;
        }
        let letters = text.trim_start_matches('-');
        if letters.chars().count() <= MAX_BUNDLE && letters.chars().all(|c| c.is_ascii_alphabetic()) {
            // `-R` is `-r` to those who have both.
            self.letters.extend(letters.chars().map(|c| if c == 'R' { 'r' } else { c }));
        } else {
            self.words.insert(text.to_owned());
        }
    }

    /// Whether all of these are among the others.
    pub(super) fn are_in(&self, others: &Flags) -> bool {
        self.letters.is_subset(&others.letters) && self.words.is_subset(&others.words)
    }
}

/// Whether a word is read as options rather than as an operand.
pub(super) fn is_flag(word: &Word) -> bool {
    let text = word.shown();
    text.starts_with('-') && text.len() > 1 && text != "--"
}
