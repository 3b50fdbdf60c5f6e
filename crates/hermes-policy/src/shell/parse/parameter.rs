//! `${…}`: the name, its subscript and what is done with its value.

use super::super::chars;
use super::super::tree::{Operation, Parameter, Part, Subscript, WordNode};
use super::Parser;
use super::dollar::is_special;
use super::word::Until;

impl Parser<'_, '_> {
    pub(super) fn braced(&mut self, quoted: bool, parts: &mut Vec<Part>) {
        if matches!(self.peek_at(2), Some(b' ' | b'\t' | b'\n' | b'|')) {
            return self.braced_command(quoted, parts);
        }
        let start = self.at;
        self.bump(2);
        if !self.enter() {
            return;
        }
        let length = self.peek() == Some(b'#') && !self.hash_is_the_name();
        if length {
            self.bump(1);
        }
        let indirect = !length && self.peek() == Some(b'!') && self.bang_is_a_sign();
        if indirect {
            self.bump(1);
        }
        let name = self.parameter_name();
        let index = self.subscript();
        let operation = if length { Operation::Length } else { self.operation(indirect, quoted) };
        if !self.eat("}") {
            // Bash refuses to run it. It is read up to the brace, to go on behind it.
            self.lacks("a parameter expansion that is none");
            self.brace_word(quoted, !quoted, 0);
            self.eat("}");
        } else if name.is_empty() {
            self.doubt("a parameter expansion without a name");
        }
        self.leave();
        let source = self.source_from(start);
        parts.push(Part::Parameter(Box::new(Parameter { name, index, indirect, operation, quoted, source })));
    }

    /// In `${#}`, `${#:-x}` and `${##x}` the number of arguments is meant, in `${#x}` a length.
    fn hash_is_the_name(&self) -> bool {
        match self.peek_at(1) {
            Some(b'}' | b':' | b'=' | b'+' | b'%' | b'/') | None => true,
            Some(b'#' | b'-' | b'?') => self.peek_at(2) != Some(b'}'),
            Some(_) => false,
        }
    }

    /// In `${!x}` the sign means indirection, in `${!}` and `${!:-x}` the last job.
    fn bang_is_a_sign(&self) -> bool {
        self.peek_at(1).is_some_and(|byte| {
            chars::is_name_byte(byte) || (is_special(byte) && byte != b'-' && byte != b'?')
        })
    }

    fn parameter_name(&mut self) -> String {
        let start = self.at;
        match self.peek() {
            Some(byte) if byte.is_ascii_digit() => {
                while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                    self.bump(1);
                }
            }
            Some(byte) if chars::is_name_start(byte) => return self.joined_name(),
            Some(byte) if is_special(byte) => self.bump(1),
            _ => {}
        }
        self.slice(start..self.at).to_owned()
    }

    fn subscript(&mut self) -> Option<Subscript> {
        if self.peek() != Some(b'[') {
            return None;
        }
        let inner = match (self.peek_at(1), self.peek_at(2)) {
            (Some(b'@'), Some(b']')) => Subscript::Each,
            (Some(b'*'), Some(b']')) => Subscript::Joined,
            _ => {
                self.bump(1);
                let word = self.word_until(Until::Bracket);
                self.eat("]");
                return Some(Subscript::At(word));
            }
        };
        self.bump(3);
        Some(inner)
    }

    fn operation(&mut self, indirect: bool, quoted: bool) -> Operation {
        let Some(sign) = self.peek() else { return Operation::None };
        match sign {
            b':' if !matches!(self.peek_at(1), Some(b'-' | b'=' | b'?' | b'+')) => {
                self.bump(1);
                let offset = self.brace_word(quoted, false, b':');
                let length = self.eat(":").then(|| self.brace_word(quoted, false, 0));
                Operation::Slice { offset, length }
            }
            b':' | b'-' | b'=' | b'?' | b'+' => {
                let colon = self.eat(":");
                let sign = self.peek().unwrap_or(b'-');
                self.bump(1);
                // Between double quotes, single quotes in the word are letters.
                Operation::Fallback { sign, colon, word: self.brace_word(quoted, !quoted, 0) }
            }
            b'#' | b'%' => {
                self.bump(1);
                let longest = self.peek() == Some(sign);
                self.bump(usize::from(longest));
                let pattern = self.brace_word(false, true, 0);
                if sign == b'#' {
                    Operation::RemovePrefix { longest, pattern }
                } else {
                    Operation::RemoveSuffix { longest, pattern }
                }
            }
            b'/' => {
                self.bump(1);
                let anchor = self.peek().filter(|byte| matches!(byte, b'/' | b'#' | b'%')).unwrap_or(0);
                self.bump(usize::from(anchor != 0));
                let pattern = self.brace_word(false, true, b'/');
                let with = if self.eat("/") { self.brace_word(quoted, true, 0) } else { WordNode::default() };
                Operation::Replace { anchor, pattern, with }
            }
            b'^' | b',' => {
                self.bump(1);
                let all = self.peek() == Some(sign);
                self.bump(usize::from(all));
                let pattern = self.brace_word(false, true, 0);
                Operation::Case { upper: sign == b'^', all, pattern }
            }
            b'@' | b'*' if indirect && self.peek_at(1) == Some(b'}') => {
                self.bump(1);
                Operation::Names
            }
            b'@' => {
                let letter = self.peek_at(1).unwrap_or(b'}');
                self.bump(if letter == b'}' { 1 } else { 2 });
                Operation::Transform(letter)
            }
            _ => Operation::None,
        }
    }

    fn brace_word(&mut self, quoted: bool, single: bool, sign: u8) -> WordNode {
        self.word_until(Until::Brace { quoted, single, sign })
    }
}
