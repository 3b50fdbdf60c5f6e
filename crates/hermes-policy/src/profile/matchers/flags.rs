//! The flags of a call as a set: order, bundling and long names of the commonest play no part.

use std::collections::BTreeSet;

use super::wildcard::Wildcard;
use crate::shell::{Piece, Word};

/// Long names that mean a letter with nearly every program.
const LETTERS: &[(&str, char)] = &[("--recursive", 'r'), ("--force", 'f')];

/// Dash words of at most so many letters are bundles; longer ones, such as `-delete`, are words.
const MAX_BUNDLE: usize = 4;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    letters: BTreeSet<char>,
    words: BTreeSet<String>,
    /// Those with a wildcard in them, which is held against the flags as they are written.
    wild: BTreeSet<Wildcard>,
    written: BTreeSet<String>,
}

impl Flags {
    pub(super) fn of<'a>(words: impl Iterator<Item = &'a Word>) -> Self {
        let mut flags = Flags::default();
        for word in words {
            let text = word.shown();
            if word.pieces.iter().any(|piece| matches!(piece, Piece::Glob(_))) {
                flags.wild.insert(Wildcard::new(text.as_str()));
            } else {
                flags.add(&text);
            }
            flags.written.insert(text);
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
        let is_met = |wild: &Wildcard| others.wild.contains(wild) || others.meets(wild);
        self.letters.is_subset(&others.letters)
            && self.words.is_subset(&others.words)
            && self.wild.iter().all(is_met)
    }

    /// Whether one of these flags is what the wildcard says, in any spelling.
    fn meets(&self, wild: &Wildcard) -> bool {
        // `--index-url=*` is also met where the value is a word of its own.
        let name = wild.text().strip_suffix("=*");
        let written = |flag: &String| wild.matches(flag) || name.is_some_and(|name| name == flag);
        // `-g*` is met by `-fg` as well: a bundle holds each of its letters, and some have long names.
        let letter = |letter: &char| wild.matches(&format!("-{letter}"));
        let long = |(long, letter): &(&str, char)| self.letters.contains(letter) && wild.matches(long);
        self.written.iter().any(written) || self.letters.iter().any(letter) || LETTERS.iter().any(long)
    }

    /// Whether each of these is one that the others name; nobody knows what a pattern of the shell comes to.
    pub(super) fn are_named_by(&self, others: &Flags) -> bool {
        let named = |flag: &String| {
            let mut one = Flags::default();
            one.add(flag);
            one.are_in(others) || others.wild.iter().any(|wild| wild.matches(flag))
        };
        self.wild.is_empty() && self.written.iter().all(named)
    }

    /// Whether the shell may make other flags of these.
    pub(super) fn may_vary(&self) -> bool {
        !self.wild.is_empty()
    }
}

/// Whether a word is read as options rather than as an operand.
pub(super) fn is_flag(word: &Word) -> bool {
    let text = word.shown();
    text.starts_with('-') && text.len() > 1 && text != "--"
}
