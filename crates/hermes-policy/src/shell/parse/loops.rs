//! Loops: `while`, `until`, `for`, `select`.

use super::super::chars;
use super::super::tree::{CompoundKind, List};
use super::Parser;
use super::list::Closer;
use super::word::Until;

impl Parser<'_, '_> {
    pub(super) fn while_loop(&mut self, word: &str) -> CompoundKind {
        self.take_reserved(word);
        let condition = self.body_list(Closer::Reserved);
        let body = self.loop_body();
        CompoundKind::While { condition, body }
    }

    /// `do … done`, or the undocumented `{ … }`.
    fn loop_body(&mut self) -> List {
        if self.eat_reserved("{") {
            self.groups = self.groups.saturating_add(1);
            let body = self.body_list(Closer::Brace);
            self.groups = self.groups.saturating_sub(1);
            self.expect_reserved("}");
            return body;
        }
        self.expect_reserved("do");
        let body = self.body_list(Closer::Reserved);
        self.expect_reserved("done");
        body
    }

    pub(super) fn for_loop(&mut self, word: &str) -> CompoundKind {
        self.take_reserved(word);
        self.skip_blanks();
        if self.eat("((") {
            return self.arithmetic_for();
        }
        let start = self.at;
        while self.peek().is_some_and(|byte| !chars::is_meta(byte)) {
            self.bump(1);
        }
        let name = self.slice(start..self.at).to_owned();
        self.inspect(start, &name, false);
        self.skip_lines();
        let mut words = None;
        if self.eat_reserved("in") {
            let mut list = Vec::new();
            loop {
                self.skip_blanks();
                let before = self.at;
                let word = self.word();
                if self.at == before {
                    break;
                }
                list.push(word);
            }
            words = Some(list);
        }
        self.skip_blanks();
        self.eat(";");
        let body = self.loop_body();
        CompoundKind::For { name, words, body }
    }

    fn arithmetic_for(&mut self) -> CompoundKind {
        let mut head = Vec::new();
        loop {
            head.push(self.word_until(Until::Arithmetic { semicolon: true }));
            if !self.eat(";") {
                break;
            }
        }
        if !self.eat("))") {
            self.lacks("the head of a for loop is not closed");
        }
        self.skip_blanks();
        self.eat(";");
        let body = self.loop_body();
        CompoundKind::ForArithmetic { head, body }
    }
}
