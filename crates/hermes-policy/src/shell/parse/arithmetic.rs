//! Arithmetic: `$((…))`, `$[…]`, `((…))`. The expression is kept as a word, since expansions in it run.

use super::super::tree::{Part, WordNode};
use super::Parser;
use super::word::Until;

impl Parser<'_, '_> {
    /// `$((` is arithmetic if `))` closes it, and else a substitution that begins with a subshell.
    pub(super) fn arithmetic_or_command(&mut self, quoted: bool, parts: &mut Vec<Part>) {
        let start = self.at;
        self.bump(3);
        if let Some(inner) = self.try_expression(start) {
            let source = self.source_from(start);
            parts.push(Part::Arithmetic { inner: Box::new(inner), source });
        } else if !self.stopped {
            self.command_substitution(quoted, parts);
        }
    }

    /// Reads an expression up to `))`; without that, goes back to `start` and says no.
    pub(super) fn try_expression(&mut self, start: usize) -> Option<WordNode> {
        if !self.enter() {
            return None;
        }
        let doubts = self.notes.doubts.len();
        let pending = self.pending.len();
        let inner = self.word_until(Until::Arithmetic { semicolon: false });
        self.leave();
        if self.eat("))") {
            return Some(inner);
        }
        if self.stopped {
            return None;
        }
        if self.retry_from(start) {
            self.notes.doubts.truncate(doubts);
            self.pending.truncate(pending);
        }
        None
    }

    /// `$[…]`, the old form.
    pub(super) fn old_arithmetic(&mut self, parts: &mut Vec<Part>) {
        let start = self.at;
        self.bump(2);
        if !self.enter() {
            return;
        }
        let inner = Box::new(self.word_until(Until::OldArithmetic));
        self.leave();
        if !self.eat("]") {
            self.lacks("an arithmetic expansion is not closed");
        }
        let source = self.source_from(start);
        parts.push(Part::Arithmetic { inner, source });
    }

    /// The whole text as an expression, whatever parentheses it has.
    pub(super) fn expression_text(&mut self) -> WordNode {
        let start = self.at;
        let mut parts = Vec::new();
        if self.enter() {
            while self.peek().is_some() {
                let before = self.at;
                self.parts(Until::Arithmetic { semicolon: false }, &mut parts);
                if self.at == before {
                    self.bump(1);
                }
            }
            self.leave();
        }
        WordNode { parts, span: self.span_from(start) }
    }
}
