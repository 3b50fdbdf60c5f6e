//! `[[ … ]]`: no program runs, but the words in it are expanded.

use super::super::tree::{CompoundKind, WordNode};
use super::Parser;
use super::word::Until;

impl Parser<'_, '_> {
    pub(super) fn condition(&mut self) -> CompoundKind {
        self.take_reserved("[[");
        let mut words: Vec<WordNode> = Vec::new();
        let mut regex = false;
        let mut open = 0usize;
        loop {
            self.skip_lines();
            if self.reserved() == Some("]]") {
                self.take_reserved("]]");
                break;
            }
            let before = self.at;
            if regex {
                regex = false;
                words.push(self.word_until(Until::Regex));
            } else if self.operator(&mut open) {
                continue;
            } else {
                let word = self.word();
                regex = word.bare() == Some("=~");
                words.push(word);
            }
            if self.at == before {
                match self.peek() {
                    None => {
                        self.lacks("]] is missing");
                        break;
                    }
                    // The end of a substitution around it: leave that to whoever opened it.
                    Some(b')') if self.parens > 0 => {
                        self.lacks("]] is missing");
                        break;
                    }
                    Some(_) => {
                        self.doubt("an unexpected token in a condition");
                        self.bump(1);
                    }
                }
            }
        }
        CompoundKind::Condition(words)
    }

    /// Takes an operator that the word reader would stop at. `open` counts groups: a parenthesis too many
    /// belongs to a substitution around the condition.
    fn operator(&mut self, open: &mut usize) -> bool {
        if self.eat("&&") || self.eat("||") {
            return true;
        }
        match self.peek() {
            Some(b'(') => *open = open.saturating_add(1),
            Some(b')') if *open > 0 => *open = open.saturating_sub(1),
            Some(b'<' | b'>') if self.peek_at(1) != Some(b'(') => {}
            _ => return false,
        }
        self.bump(1);
        true
    }
}
