//! Lists and pipelines: `;`, `&`, `&&`, `||`, `|` and newlines.

use super::super::chars;
use super::super::tree::{AndOr, Item, List, Node, Pipeline};
use super::Parser;

/// What ends a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Closer {
    /// The end of the text.
    End,
    /// `)`
    Paren,
    /// `}`
    Brace,
    /// A reserved word of the statement around it.
    Reserved,
    /// `;;`, `;&`, `;;&` or `esac`.
    Arm,
}

/// Reserved words that end a list.
const CLOSING: [&str; 8] = ["then", "elif", "else", "fi", "do", "done", "esac", "}"];

impl Parser<'_, '_> {
    /// Reads commands up to what closes the list, and leaves that to be read.
    pub(super) fn list(&mut self, closer: Closer) -> List {
        let mut list = List::default();
        if !self.enter() {
            return list;
        }
        while !self.stopped {
            self.skip_lines();
            let before = self.at;
            if self.at_end_of(closer) {
                break;
            }
            if self.at == before {
                list.items.push(self.item());
            }
            if self.at == before {
                // Whatever it is, no command begins with it; that has been told.
                self.bump(self.rest().chars().next().map_or(1, char::len_utf8));
            }
        }
        self.leave();
        if closer == Closer::End && !self.pending.is_empty() {
            self.read_bodies();
        }
        list
    }

    /// Whether the list ends here. Takes what cannot stand here at all.
    fn at_end_of(&mut self, closer: Closer) -> bool {
        match self.peek() {
            None => return true,
            Some(b')') => {
                if closer == Closer::Paren || self.parens > 0 {
                    return true;
                }
                self.doubt("a closing parenthesis that nothing opened");
                self.bump(1);
                return false;
            }
            Some(b';') => {
                if matches!(self.peek_at(1), Some(b';' | b'&')) {
                    if closer == Closer::Arm {
                        return true;
                    }
                    self.doubt("an end of a case arm outside of one");
                    self.bump(2);
                } else {
                    self.doubt("an empty command");
                    self.bump(1);
                }
                return false;
            }
            Some(_) => {}
        }
        let Some(word) = self.reserved().filter(|word| CLOSING.contains(word)) else { return false };
        let fits = match closer {
            Closer::Brace => word == "}",
            Closer::Reserved => word != "}" || self.groups > 0,
            Closer::Arm => word == "esac" || (word == "}" && self.groups > 0),
            Closer::End | Closer::Paren => false,
        };
        if !fits {
            self.doubt(format!("an unexpected {word}"));
            self.take_reserved(word);
        }
        fits
    }

    fn item(&mut self) -> Item {
        let first = self.pipeline();
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let sign = if self.eat("&&") {
                AndOr::And
            } else if self.eat("||") {
                AndOr::Or
            } else {
                break;
            };
            self.skip_lines();
            if self.nothing_follows() {
                self.lacks("an operator with nothing behind it");
                break;
            }
            rest.push((sign, self.pipeline()));
        }
        let mut background = false;
        match (self.peek(), self.peek_at(1)) {
            (Some(b'&'), next) if next != Some(b'&') => {
                background = true;
                self.bump(1);
                self.doubt_split_operator();
            }
            (Some(b';'), next) if !matches!(next, Some(b';' | b'&')) => {
                self.bump(1);
                self.doubt_split_operator();
            }
            (None | Some(b'\n' | b')' | b';'), _) => {}
            _ => {
                // Only after a compound command may the next reserved word follow directly.
                let last = rest.last().map_or(&first, |(_, pipeline): &(AndOr, Pipeline)| pipeline);
                let compound = !matches!(last.stages.last(), None | Some(Node::Simple(_)));
                let closes = self.reserved().is_some_and(|word| CLOSING.contains(&word));
                if !(compound && closes) {
                    self.doubt("an unexpected token");
                }
            }
        }
        Item { first, rest, background }
    }

    fn pipeline(&mut self) -> Pipeline {
        let start = self.at;
        let negated = self.skip_pipeline_prefix();
        let prefixed = self.at > start && matches!(self.peek(), None | Some(b'\n' | b';'));
        let mut stages = vec![self.stage(prefixed)];
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'|') || self.peek_at(1) == Some(b'|') {
                break;
            }
            self.bump(if self.peek_at(1) == Some(b'&') { 2 } else { 1 });
            self.doubt_split_operator();
            self.skip_lines();
            if self.nothing_follows() {
                self.lacks("a pipe with nothing behind it");
                break;
            }
            // Not in the grammar, but harmless to understand.
            self.skip_pipeline_prefix();
            stages.push(self.stage(false));
        }
        Pipeline { negated, stages }
    }

    /// One command of a pipeline, which only behind a lone `!` or `time` may be missing.
    fn stage(&mut self, may_be_missing: bool) -> Node {
        self.skip_blanks();
        let start = self.at;
        if let Some(word) = self.reserved().filter(|word| CLOSING.contains(word)) {
            self.doubt(format!("an unexpected {word}"));
        }
        let command = self.command();
        if self.at == start && !may_be_missing {
            self.lacks("a command is missing");
        }
        command
    }

    /// `!` and `time [-p] [--]`, in any number. Tells whether there was a `!`.
    fn skip_pipeline_prefix(&mut self) -> bool {
        let mut negated = false;
        loop {
            self.skip_blanks();
            match self.reserved() {
                Some("!") => {
                    negated = true;
                    self.take_reserved("!");
                }
                Some("time") => {
                    self.take_reserved("time");
                    self.skip_blanks();
                    for option in ["-p", "--"] {
                        let alone = self.peek_at(2).is_none_or(chars::is_meta);
                        if alone && self.eat(option) {
                            self.skip_blanks();
                        }
                    }
                }
                _ => return negated,
            }
        }
    }

    fn nothing_follows(&self) -> bool {
        matches!(self.peek(), None | Some(b')' | b';' | b'&' | b'|'))
    }

    /// Blanks, continued lines and, behind a blank, a comment.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.bump(1),
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.bump(2),
                Some(b'#') if self.at_word_start() => {
                    let end = self.rest().find('\n').unwrap_or(self.rest().len());
                    let comment = self.slice(self.at..self.at.saturating_add(end));
                    self.inspect(self.at, comment, true);
                    self.bump(end);
                }
                _ => return,
            }
        }
    }

    fn at_word_start(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.text.as_bytes().get(at));
        before.is_none_or(|byte| chars::is_meta(*byte))
    }

    /// Blanks, comments and newlines; a newline brings the bodies of here-documents with it.
    pub(super) fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'\n') {
                return;
            }
            self.bump(1);
            self.read_bodies();
        }
    }
}
