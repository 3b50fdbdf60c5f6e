//! What a dollar sign begins: parameters, substitutions, arithmetic, special quotes; and `<(…)`.

use super::super::chars;
use super::super::tree::{List, Operation, Parameter, Part, Substitution};
use super::Parser;
use super::list::Closer;
use super::word::{Until, push_text};

impl Parser<'_, '_> {
    pub(super) fn dollar(&mut self, until: Until, parts: &mut Vec<Part>) {
        let quoted = until.quoted();
        // Between double quotes a quote behind the dollar sign is not special.
        let plain = !matches!(until, Until::Quote | Until::Body);
        match self.peek_at(1) {
            Some(b'(') if self.peek_at(2) == Some(b'(') => self.arithmetic_or_command(quoted, parts),
            Some(b'(') => self.command_substitution(quoted, parts),
            Some(b'{') => self.braced(quoted, parts),
            Some(b'[') => self.old_arithmetic(parts),
            Some(b'\'') if plain => self.ansi_quote(!until.single_quotes(), parts),
            Some(b'"') if plain => self.bump(1),
            Some(byte) if chars::is_name_start(byte) => {
                let start = self.at;
                self.bump(1);
                let name = self.joined_name();
                self.parameter(start, name, quoted, parts);
            }
            Some(byte) if byte.is_ascii_digit() || is_special(byte) => {
                let start = self.at;
                self.bump(2);
                let name = self.slice(start.saturating_add(1)..self.at).to_owned();
                self.parameter(start, name, quoted, parts);
            }
            next => {
                if next == Some(b'\\') && self.peek_at(2) == Some(b'\n') {
                    self.doubt("a line is continued in the middle of an operator");
                }
                push_text(parts, "$", quoted);
                self.bump(1);
            }
        }
    }

    /// A name; a line may be continued in the middle of it.
    pub(super) fn joined_name(&mut self) -> String {
        let mut name = String::new();
        loop {
            let start = self.at;
            while self.peek().is_some_and(chars::is_name_byte) {
                self.bump(1);
            }
            name.push_str(self.slice(start..self.at));
            let rest = self.rest();
            let after = rest.trim_start_matches("\\\n");
            if rest.len() == after.len() || !after.bytes().next().is_some_and(chars::is_name_byte) {
                return name;
            }
            self.bump(rest.len().saturating_sub(after.len()));
        }
    }

    /// `$name` or `$?`, which ends here.
    fn parameter(&mut self, start: usize, name: String, quoted: bool, parts: &mut Vec<Part>) {
        let source = self.source_from(start);
        parts.push(Part::Parameter(Box::new(Parameter {
            name,
            index: None,
            indirect: false,
            operation: Operation::None,
            quoted,
            source,
        })));
    }

    pub(super) fn command_substitution(&mut self, quoted: bool, parts: &mut Vec<Part>) {
        let start = self.at;
        self.bump(2);
        let list = self.parenthesised();
        let source = self.source_from(start);
        parts.push(Part::Command(Box::new(Substitution { list, quoted, source })));
    }

    /// `<(…)` and `>(…)`.
    pub(super) fn process(&mut self, parts: &mut Vec<Part>) {
        let start = self.at;
        let writes = self.peek() == Some(b'>');
        self.bump(2);
        let list = self.parenthesised();
        let source = self.source_from(start);
        let inner = Box::new(Substitution { list, quoted: false, source });
        parts.push(Part::Process { inner, writes });
    }

    /// A list up to `)`, with here-documents of its own.
    fn parenthesised(&mut self) -> List {
        let outer = std::mem::take(&mut self.pending);
        let groups = std::mem::take(&mut self.groups);
        self.parens = self.parens.saturating_add(1);
        self.substitutions = self.substitutions.saturating_add(1);
        let list = self.list(Closer::Paren);
        self.substitutions = self.substitutions.saturating_sub(1);
        self.parens = self.parens.saturating_sub(1);
        self.groups = groups;
        if !self.pending.is_empty() {
            self.doubt("a here-document begins in a substitution that ends on the same line");
        }
        let inner = std::mem::replace(&mut self.pending, outer);
        self.pending.extend(inner);
        if !self.eat(")") {
            self.lacks("a substitution is not closed");
        }
        list
    }

    /// `${ command; }` of newer shells runs its commands like `$(…)`.
    pub(super) fn braced_command(&mut self, quoted: bool, parts: &mut Vec<Part>) {
        let start = self.at;
        self.bump(2);
        self.eat("|");
        let outer = std::mem::take(&mut self.pending);
        let parens = std::mem::take(&mut self.parens);
        self.groups = self.groups.saturating_add(1);
        let list = self.list(Closer::Brace);
        self.groups = self.groups.saturating_sub(1);
        self.parens = parens;
        self.pending.extend(outer);
        if !self.eat("}") {
            self.lacks("a substitution is not closed");
        }
        let source = self.source_from(start);
        parts.push(Part::Command(Box::new(Substitution { list, quoted, source })));
    }
}

pub(super) fn is_special(byte: u8) -> bool {
    matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')
}
