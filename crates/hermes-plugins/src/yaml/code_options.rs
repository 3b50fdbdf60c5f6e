//! Which options of a runner bring code, in all the ways that options are written.

use super::runners::{Operands, Runner};
use super::template::Template;

/// Where an option has its code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// In the word behind it.
    Next,
    /// In the same word.
    Here,
}

impl Runner {
    /// Whether an option brings code, alone (`-c`), glued (`-ecode`, `--eval=code`) or bundled (`-lane`).
    pub(super) fn code_in(&self, word: &Template) -> Option<Code> {
        let found = self.code_in_text(word.beginning())?;
        // Where an argument is part of the word, it is the code.
        Some(if word.literal().is_some() { found } else { Code::Here })
    }

    fn code_in_text(&self, word: &str) -> Option<Code> {
        let lower = word.to_ascii_lowercase();
        if self.code.iter().any(|option| {
            *option == word || ((option.len() > 2 || option.starts_with('/')) && *option == lower)
        }) {
            return Some(if word == "+" { Code::Here } else { Code::Next });
        }
        let with_value = |option: &str| {
            let rest = lower.strip_prefix(option.to_ascii_lowercase().as_str());
            rest.is_some_and(|rest| option.len() > 2 && rest.starts_with('='))
        };
        if self.code.iter().any(|option| with_value(option)) || (word.starts_with('+') && self.is_code('+')) {
            return Some(Code::Here);
        }
        if word.starts_with("--") || !word.starts_with('-') {
            return None;
        }
        let letters: Vec<char> = word.chars().skip(1).collect();
        let ends = |letter: &char| {
            self.takes_rest.contains(*letter) || !letter.is_ascii_alphanumeric() || self.is_code(*letter)
        };
        let place = letters.iter().position(ends)?;
        let (letter, rest) = letters.get(place..)?.split_first()?;
        if !self.is_code(*letter) {
            return None;
        }
        // A shell's option takes no value: its code is the next word. So it is where all that follows are
        // options of the same kind, as in `node -pe`.
        let next = self.operands == Operands::Shell || rest.iter().all(|letter| self.is_code(*letter));
        Some(if next { Code::Next } else { Code::Here })
    }

    fn is_code(&self, letter: char) -> bool {
        self.code.iter().any(|option| option.trim_start_matches('-').chars().eq([letter]))
    }
}
