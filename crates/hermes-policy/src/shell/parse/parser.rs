//! The state of one reading, and the steps that all parts of the grammar share.

use std::ops::Range;

use super::super::chars;
use super::super::model::Doubt;
use super::super::notes::Notes;
use super::super::tree::{List, Span, WordNode};
use super::{heredoc, list};

/// Deeper nesting is not followed: nobody writes it, and each level costs stack.
const MAX_DEPTH: usize = 64;

/// The longest piece of source that is kept only to be shown.
const MAX_SOURCE: usize = 120;

/// Reads a whole script. `origin` says where its text stands in what the person wrote.
pub(in crate::shell) fn script(text: &str, origin: Origin, notes: &mut Notes) -> List {
    Parser::new(text, origin, 0, notes).list(list::Closer::End)
}

/// Reads text as an arithmetic expression: only expansions count.
pub(in crate::shell) fn expression(text: &str, origin: Origin, notes: &mut Notes) -> WordNode {
    Parser::new(text, origin, 0, notes).expression_text()
}

/// Where the bytes of a parsed text stand in the outermost one.
#[derive(Clone, Debug)]
pub(in crate::shell) enum Origin {
    /// The text is a slice that begins there.
    At(usize),
    /// The text was made; all of it comes from there.
    Within(Range<usize>),
}

pub(super) struct Parser<'t, 'n> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) origin: Origin,
    pub(super) depth: usize,
    /// Open parentheses around this place; a `)` outside all of them is an error.
    pub(super) parens: usize,
    /// Substitutions around this place.
    pub(super) substitutions: usize,
    /// Open `{` groups around this place.
    pub(super) groups: usize,
    /// Here-documents whose bodies begin after this line.
    pub(super) pending: Vec<heredoc::Pending>,
    /// Given up: what follows is not read.
    pub(super) stopped: bool,
    pub(super) notes: &'n mut Notes,
}

impl<'t, 'n> Parser<'t, 'n> {
    pub(super) fn new(text: &'t str, origin: Origin, depth: usize, notes: &'n mut Notes) -> Self {
        Parser {
            text,
            at: 0,
            origin,
            depth,
            parens: 0,
            substitutions: 0,
            groups: 0,
            pending: Vec::new(),
            stopped: false,
            notes,
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at.saturating_add(ahead)).copied()
    }

    pub(super) fn starts_with(&self, wanted: &str) -> bool {
        self.rest().starts_with(wanted)
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or("")
    }

    /// Goes on by whole bytes of ASCII.
    pub(super) fn bump(&mut self, bytes: usize) {
        self.notes.count(bytes);
        self.at = self.at.saturating_add(bytes).min(self.text.len());
    }

    /// Takes the wanted text if it stands here.
    pub(super) fn eat(&mut self, wanted: &str) -> bool {
        let found = self.starts_with(wanted);
        if found {
            self.bump(wanted.len());
        }
        found
    }

    pub(super) fn span_from(&self, start: usize) -> Span {
        self.span(start..self.at)
    }

    pub(super) fn span(&self, range: Range<usize>) -> Span {
        match &self.origin {
            Origin::At(offset) => range.start.saturating_add(*offset)..range.end.saturating_add(*offset),
            Origin::Within(outer) => outer.clone(),
        }
    }

    /// Where a text that is made from this place stands.
    pub(super) fn origin_of(&self, range: Range<usize>) -> Origin {
        Origin::Within(self.span(range))
    }

    /// What stands between `start` and here, shortened to be shown.
    pub(super) fn source_from(&self, start: usize) -> String {
        let source = self.slice(start..self.at);
        match source.char_indices().nth(MAX_SOURCE) {
            None => source.to_owned(),
            Some((cut, _)) => format!("{}…", source.get(..cut).unwrap_or("")),
        }
    }

    pub(super) fn doubt(&mut self, reason: impl Into<String>) {
        self.tell(reason.into(), false);
    }

    /// What was begun lacks something. Where nothing follows, it is the text that ends too early.
    pub(super) fn lacks(&mut self, reason: impl Into<String>) {
        let unfinished = self.rest().trim().is_empty();
        self.tell(reason.into(), unfinished);
    }

    fn tell(&mut self, reason: String, unfinished: bool) {
        if !self.stopped {
            let end = self.at.saturating_add(1).min(self.text.len());
            let span = self.span(self.at.min(end)..end);
            self.notes.tell(Doubt { reason, span, unfinished });
        }
    }

    /// Reads no further. One doubt says so; the errors that follow from it would say nothing.
    pub(super) fn stop(&mut self, reason: &str) {
        self.doubt(reason);
        self.stopped = true;
        self.at = self.text.len();
    }

    /// Goes one level deeper, unless that is too deep.
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            self.stop("nested too deeply to follow");
            return false;
        }
        self.depth = self.depth.saturating_add(1);
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Goes back to `start` to read the same bytes as something else. False if that happened too often.
    pub(super) fn retry_from(&mut self, start: usize) -> bool {
        let cost = self.at.saturating_sub(start);
        if !self.notes.reread(cost) {
            self.stop("too ambiguous to follow");
            return false;
        }
        self.at = start;
        true
    }

    /// Looks for characters that are not what they seem to be.
    pub(super) fn inspect(&mut self, start: usize, text: &str, quoted: bool) {
        if !chars::needs_a_look(text) {
            return;
        }
        let mut before = 'a';
        for (at, c) in text.char_indices() {
            let found = if quoted { chars::hidden(c).filter(|_| c != '\r') } else { chars::strange(c) };
            // Joiners and variation selectors are part of many an emoji.
            let emoji = !before.is_ascii() && matches!(c, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
            if let Some(what) = found.filter(|_| !emoji) {
                let at = start.saturating_add(at);
                let span = self.span(at..at.saturating_add(c.len_utf8()));
                self.notes.doubt(format!("{what} (U+{:04X}) in the command", u32::from(c)), span);
            }
            before = c;
        }
    }

    /// Behind an operator: if a line is continued there and the next one begins with another operator, the
    /// shell takes both for one. Nobody writes that, so it is not followed but told.
    pub(super) fn doubt_split_operator(&mut self) {
        if !self.starts_with("\\\n") {
            return;
        }
        let next = self.rest().trim_start_matches("\\\n").bytes().next();
        if matches!(next, Some(b'&' | b'|' | b'<' | b'>' | b';' | b'(' | b')')) {
            self.doubt("a line is continued in the middle of an operator");
        }
    }
}
