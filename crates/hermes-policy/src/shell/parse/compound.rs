//! Compound commands: groups, subshells, `if`, `case`.

use super::super::tree::{CaseArm, CompoundKind, List};
use super::Parser;
use super::list::Closer;

impl Parser<'_, '_> {
    /// Reads a compound command without its redirections, if one begins here.
    pub(super) fn compound_kind(&mut self) -> Option<CompoundKind> {
        if self.peek() == Some(b'(') {
            return Some(self.parenthesis());
        }
        // `!(` can only be a negated subshell here, unless extended patterns are switched on.
        Some(match self.reserved()? {
            "{" => self.group(),
            "if" => self.if_statement(),
            "while" => self.while_loop("while"),
            "until" => self.while_loop("until"),
            "for" => self.for_loop("for"),
            "select" => self.for_loop("select"),
            "case" => self.case_statement(),
            "[[" => self.condition(),
            _ => return None,
        })
    }

    /// A list that must not be empty.
    pub(super) fn body_list(&mut self, closer: Closer) -> List {
        let list = self.list(closer);
        if list.items.is_empty() {
            self.lacks("a command is missing");
        }
        list
    }

    fn parenthesis(&mut self) -> CompoundKind {
        let start = self.at;
        if self.peek_at(1) == Some(b'(') {
            self.bump(2);
            if let Some(inner) = self.try_expression(start) {
                return CompoundKind::Arithmetic(inner);
            }
        }
        self.bump(1);
        self.doubt_split_operator();
        let groups = std::mem::take(&mut self.groups);
        self.parens = self.parens.saturating_add(1);
        let list = self.body_list(Closer::Paren);
        self.parens = self.parens.saturating_sub(1);
        self.groups = groups;
        if !self.eat(")") {
            self.lacks("a parenthesis is not closed");
        }
        CompoundKind::Subshell(list)
    }

    fn group(&mut self) -> CompoundKind {
        self.take_reserved("{");
        self.groups = self.groups.saturating_add(1);
        let list = self.body_list(Closer::Brace);
        self.groups = self.groups.saturating_sub(1);
        self.expect_reserved("}");
        CompoundKind::Group(list)
    }

    fn if_statement(&mut self) -> CompoundKind {
        self.take_reserved("if");
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.body_list(Closer::Reserved);
            self.expect_reserved("then");
            let body = self.body_list(Closer::Reserved);
            arms.push((condition, body));
            if self.stopped || !self.eat_reserved("elif") {
                break;
            }
        }
        if self.eat_reserved("else") {
            otherwise = Some(self.body_list(Closer::Reserved));
        }
        self.expect_reserved("fi");
        CompoundKind::If { arms, otherwise }
    }

    fn case_statement(&mut self) -> CompoundKind {
        self.take_reserved("case");
        self.skip_blanks();
        let subject = self.word();
        self.expect_reserved("in");
        let mut arms = Vec::new();
        loop {
            if self.eat_reserved("esac") {
                break;
            }
            self.skip_lines();
            let before = self.at;
            if let Some(arm) = self.case_arm() {
                arms.push(arm);
            }
            if self.at == before {
                self.lacks("esac is missing");
                break;
            }
        }
        CompoundKind::Case { subject, arms }
    }

    fn case_arm(&mut self) -> Option<CaseArm> {
        self.eat("(");
        let mut patterns = Vec::new();
        loop {
            self.skip_blanks();
            let before = self.at;
            let pattern = self.word();
            if self.at > before {
                patterns.push(pattern);
            }
            self.skip_blanks();
            if !self.eat("|") {
                break;
            }
        }
        if !self.eat(")") {
            self.lacks("a case pattern is not closed");
            if patterns.is_empty() {
                return None;
            }
        }
        let body = self.list(Closer::Arm);
        let mut falls_through = false;
        if self.eat(";;&") || self.eat(";&") {
            falls_through = true;
        } else {
            self.eat(";;");
        }
        Some(CaseArm { patterns, body, falls_through })
    }
}
