//! Assignments: `x=1`, `x+=1`, `x[i]=1`, `x=(a b)`.

use super::super::chars;
use super::super::tree::{Assign, AssignValue, Element, WordNode};
use super::Parser;
use super::word::Until;

impl Parser<'_, '_> {
    /// Reads an assignment if one stands here.
    pub(super) fn assignment(&mut self) -> Option<Assign> {
        let start = self.at;
        let name = self.assigned_name()?;
        let mut index = None;
        if self.peek() == Some(b'[') {
            if !self.enter() {
                return None;
            }
            self.bump(1);
            let doubts = self.notes.doubts.len();
            let word = self.word_until(Until::Bracket);
            self.leave();
            let assigns = self.starts_with("]=") || self.starts_with("]+=");
            if !assigns {
                // Only a pattern such as `a[bc]`.
                if !self.stopped && self.retry_from(start) {
                    self.notes.doubts.truncate(doubts);
                }
                return None;
            }
            self.bump(1);
            index = Some(word);
        }
        let append = self.eat("+");
        if !self.eat("=") {
            self.at = start;
            return None;
        }
        let value = if self.peek() == Some(b'(') && index.is_none() {
            AssignValue::Array(self.array())
        } else {
            AssignValue::Word(self.word())
        };
        Some(Assign { name, index, append, value })
    }

    /// A name directly before `=`, `+=` or `[`; continued lines inside it are joined.
    fn assigned_name(&mut self) -> Option<String> {
        let start = self.at;
        let mut name = String::new();
        while let Some(byte) = self.peek() {
            if self.starts_with("\\\n") {
                self.bump(2);
            } else if chars::is_name_byte(byte) {
                name.push(char::from(byte));
                self.bump(1);
            } else {
                break;
            }
        }
        let follows =
            matches!((self.peek(), self.peek_at(1)), (Some(b'=' | b'['), _) | (Some(b'+'), Some(b'=')));
        if follows && chars::is_name(&name) {
            return Some(name);
        }
        self.at = start;
        None
    }

    /// `(a b [k]=v)`, newlines and comments between the elements.
    fn array(&mut self) -> Vec<Element> {
        let mut elements = Vec::new();
        self.bump(1);
        if !self.enter() {
            return elements;
        }
        loop {
            self.skip_lines();
            let index = self.element_index();
            let before = self.at;
            let value = self.word();
            if index.is_none() && self.at == before {
                match self.peek() {
                    None | Some(b')') => break,
                    Some(_) => {
                        self.doubt("an unexpected token in an array");
                        self.bump(1);
                        continue;
                    }
                }
            }
            elements.push(Element { index, value });
        }
        self.leave();
        if !self.eat(")") {
            self.lacks("an array is not closed");
        }
        elements
    }

    fn element_index(&mut self) -> Option<WordNode> {
        if self.peek() != Some(b'[') {
            return None;
        }
        let start = self.at;
        let doubts = self.notes.doubts.len();
        self.bump(1);
        let index = self.word_until(Until::Bracket);
        if self.eat("]=") || self.eat("]+=") {
            return Some(index);
        }
        if !self.stopped && self.retry_from(start) {
            self.notes.doubts.truncate(doubts);
        }
        None
    }
}
