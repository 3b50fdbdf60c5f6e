//! One command: simple, compound, function or coprocess; and which words are reserved.

use std::rc::Rc;

use super::super::chars;
use super::super::tree::{Arg, Compound, FunctionNode, Node, Simple};
use super::Parser;

const RESERVED: [&str; 22] = [
    "if", "then", "elif", "else", "fi", "while", "until", "for", "select", "case", "esac", "do", "done",
    "in", "function", "time", "coproc", "{", "}", "!", "[[", "]]",
];

/// Builtins whose arguments may be assignments, arrays too.
const DECLARING: [&str; 6] = ["declare", "typeset", "export", "readonly", "local", "alias"];

impl Parser<'_, '_> {
    /// The reserved word that stands here, if one does.
    pub(super) fn reserved(&self) -> Option<&'static str> {
        let bytes = self.text.as_bytes();
        let mut word = [0u8; 8];
        let mut length = 0;
        let mut at = self.at;
        loop {
            match bytes.get(at).copied() {
                Some(b'\\') if bytes.get(at.saturating_add(1)) == Some(&b'\n') => {
                    at = at.saturating_add(2);
                }
                Some(byte) if !chars::is_meta(byte) => {
                    *word.get_mut(length)? = byte;
                    length = length.saturating_add(1);
                    at = at.saturating_add(1);
                }
                _ => break,
            }
        }
        let found = word.get(..length)?;
        RESERVED.into_iter().find(|reserved| reserved.as_bytes() == found)
    }

    /// Takes a reserved word that was seen, with the continued lines inside it.
    pub(super) fn take_reserved(&mut self, word: &str) {
        let mut left = word.len();
        while left > 0 && self.peek().is_some() {
            if self.starts_with("\\\n") {
                self.bump(2);
            } else {
                self.bump(1);
                left = left.saturating_sub(1);
            }
        }
    }

    /// Takes the reserved word if it comes next, newlines before it aside.
    pub(super) fn eat_reserved(&mut self, word: &str) -> bool {
        self.skip_lines();
        let found = self.reserved() == Some(word);
        if found {
            self.take_reserved(word);
        }
        found
    }

    pub(super) fn expect_reserved(&mut self, word: &str) {
        if !self.eat_reserved(word) {
            self.lacks(format!("{word} is missing"));
        }
    }

    pub(super) fn command(&mut self) -> Node {
        self.skip_blanks();
        let start = self.at;
        if let Some(kind) = self.compound_kind() {
            let mut end = self.at;
            let mut redirects = Vec::new();
            self.skip_blanks();
            while self.redirection_into(&mut redirects) {
                end = self.at;
                self.skip_blanks();
            }
            let span = self.span(start..end);
            return Node::Compound(Box::new(Compound { kind, redirects, span }));
        }
        match self.reserved() {
            Some("function") => self.function_with_keyword(),
            Some("coproc") => self.coprocess(),
            _ => self.simple(),
        }
    }

    fn function_with_keyword(&mut self) -> Node {
        self.take_reserved("function");
        self.skip_blanks();
        let start = self.at;
        while self.peek().is_some_and(|byte| !chars::is_meta(byte)) {
            self.bump(1);
        }
        let name = self.slice(start..self.at).to_owned();
        self.inspect(start, &name, false);
        self.skip_blanks();
        if self.eat("(") {
            self.skip_blanks();
            if !self.eat(")") {
                self.lacks("a function's parentheses are not closed");
            }
        }
        self.function_body(name)
    }

    fn function_body(&mut self, name: String) -> Node {
        self.skip_lines();
        if !self.enter() {
            return Node::Simple(Simple::default());
        }
        let body = self.command();
        self.leave();
        if !matches!(body, Node::Compound(_)) {
            self.lacks("a function's body is no compound command");
        }
        Node::Function(Rc::new(FunctionNode { name, body }))
    }

    /// `coproc command`, or `coproc NAME compound`.
    fn coprocess(&mut self) -> Node {
        self.take_reserved("coproc");
        self.skip_blanks();
        let start = self.at;
        while self.peek().is_some_and(chars::is_name_byte) {
            self.bump(1);
        }
        let named = self.at > start && matches!(self.peek(), Some(b' ' | b'\t'));
        self.skip_blanks();
        let compound = matches!(
            self.reserved(),
            Some("{" | "[[" | "if" | "while" | "until" | "for" | "select" | "case")
        ) || self.peek() == Some(b'(');
        if !(named && compound) {
            self.at = start;
        }
        if !self.enter() {
            return Node::Simple(Simple::default());
        }
        let body = self.command();
        self.leave();
        Node::Coprocess(Box::new(body))
    }

    /// Assignments, words and redirections in any order, or the head of a function.
    fn simple(&mut self) -> Node {
        let start = self.at;
        let mut end = start;
        let mut simple = Simple::default();
        let mut declaring = false;
        let mut tail = start;
        loop {
            end = end.max(self.at);
            self.skip_blanks();
            if self.redirection_into(&mut simple.redirects) {
                continue;
            }
            let Some(byte) = self.peek() else { break };
            let substitutes = matches!(byte, b'<' | b'>') && self.peek_at(1) == Some(b'(');
            if byte == b'(' && self.is_function_head(&simple) {
                return self.function_with_parens(simple);
            }
            if chars::is_meta(byte) && !substitutes {
                break;
            }
            if (simple.args.is_empty() || declaring)
                && let Some(assign) = self.assignment()
            {
                if declaring {
                    simple.args.push(Arg::Assign(Box::new(assign)));
                } else {
                    simple.assignments.push(assign);
                }
                continue;
            }
            let before = self.at;
            let word = self.word();
            if self.at == before {
                break;
            }
            if simple.args.is_empty() {
                tail = self.at;
                declaring = word.bare().is_some_and(|name| DECLARING.contains(&name));
            }
            simple.args.push(Arg::Word(word));
        }
        simple.span = self.span(start..end);
        if self.notes.aliases {
            self.slice(tail..end).clone_into(&mut simple.tail);
        }
        Node::Simple(simple)
    }

    fn is_function_head(&self, simple: &Simple) -> bool {
        let [Arg::Word(word)] = simple.args.as_slice() else { return false };
        word.bare().is_some() && simple.assignments.is_empty() && simple.redirects.is_empty()
    }

    fn function_with_parens(&mut self, simple: Simple) -> Node {
        self.bump(1);
        self.skip_blanks();
        if !self.eat(")") {
            self.doubt("an unexpected parenthesis");
        }
        let name = match simple.args.first() {
            Some(Arg::Word(word)) => word.bare().unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        self.function_body(name)
    }
}
