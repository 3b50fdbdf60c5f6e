//! Here-documents: their bodies stand after the line that names them, several in a row if need be.

use std::cell::OnceCell;
use std::rc::Rc;

use super::super::tree::{Part, WordNode};
use super::word::Until;
use super::{Origin, Parser};

/// A here-document whose body has not been reached.
pub(super) struct Pending {
    delimiter: String,
    /// No part of the delimiter was quoted, so the body is expanded.
    expands: bool,
    /// `<<-`: tabs at the beginning of lines do not count.
    strips_tabs: bool,
    body: Rc<OnceCell<WordNode>>,
}

impl Parser<'_, '_> {
    /// Reads the delimiter and remembers that a body must follow.
    pub(super) fn open_here_document(&mut self, strips_tabs: bool) -> Rc<OnceCell<WordNode>> {
        let start = self.at;
        let word = self.word();
        let source = self.slice(start..self.at);
        if word.parts.is_empty() {
            self.lacks("a here-document without a delimiter");
        }
        let expands = !source.contains(['\'', '"', '\\']);
        let mut delimiter = String::new();
        for part in &word.parts {
            match part {
                Part::Text { text, .. } => delimiter.push_str(text),
                // The delimiter is not expanded, `$x` and `$(x)` are its letters.
                _ if expands => source.clone_into(&mut delimiter),
                _ => self.doubt("a here-document with an unusual delimiter"),
            }
        }
        let body = Rc::new(OnceCell::new());
        self.pending.push(Pending { delimiter, expands, strips_tabs, body: Rc::clone(&body) });
        body
    }

    /// Reads the bodies that begin here, behind a newline.
    pub(super) fn read_bodies(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            self.read_body(pending);
        }
    }

    fn read_body(&mut self, pending: Pending) {
        let start = self.at;
        let mut end = start;
        let mut closed = false;
        // Continued lines are joined before they are compared with the delimiter.
        let mut joined = String::new();
        let mut continued = false;
        while self.peek().is_some() {
            let line = self.rest().split('\n').next().unwrap_or("");
            let backslashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
            let goes_on = pending.expands && backslashes % 2 == 1;
            if goes_on || continued {
                joined.push_str(if goes_on { line.strip_suffix('\\').unwrap_or(line) } else { line });
            }
            if !goes_on {
                let whole = if continued { joined.as_str() } else { line };
                if let Some(left) = self.closes(&pending, whole) {
                    self.bump(line.len().saturating_sub(left));
                    self.bump(usize::from(left == 0));
                    closed = true;
                    break;
                }
                joined.clear();
            }
            continued = goes_on;
            self.bump(line.len().saturating_add(1));
            if !goes_on {
                end = self.at;
            }
        }
        if !closed {
            self.lacks(format!("the here-document {} has no end", pending.delimiter));
            end = self.at;
        }
        let raw = self.slice(start..end);
        let node = self.body_node(raw, start, &pending);
        let _ = pending.body.set(node);
    }

    /// Whether a line ends a here-document, and if so how much of the line is left behind its end. The
    /// newline belongs to the end.
    fn closes(&mut self, pending: &Pending, line: &str) -> Option<usize> {
        let line = if pending.strips_tabs { line.trim_start_matches('\t') } else { line };
        let tail = line.strip_prefix(pending.delimiter.as_str())?;
        if tail.is_empty() {
            return Some(0);
        }
        // In `$(…)` the closing parenthesis may follow the delimiter on its line.
        if self.substitutions == 0 || !tail.contains(')') {
            return None;
        }
        if !tail.starts_with(')') {
            self.doubt("a line that may or may not end a here-document");
        }
        Some(tail.len())
    }

    fn body_node(&mut self, raw: &str, start: usize, pending: &Pending) -> WordNode {
        let span = start..start.saturating_add(raw.len());
        let stripped: String;
        let (text, origin) = if pending.strips_tabs && raw.contains('\t') {
            stripped = raw.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect();
            (stripped.as_str(), self.origin_of(span.clone()))
        } else {
            let origin = match &self.origin {
                Origin::At(offset) => Origin::At(offset.saturating_add(start)),
                within => within.clone(),
            };
            (raw, origin)
        };
        self.inspect(start, text, true);
        if pending.expands {
            return Parser::new(text, origin, self.depth, self.notes).body();
        }
        let part = Part::Text { text: text.to_owned(), quoted: true };
        WordNode { parts: vec![part], span: self.span(span) }
    }

    /// The whole text as a here-document's body.
    pub(super) fn body(&mut self) -> WordNode {
        let start = self.at;
        let mut parts = Vec::new();
        if self.enter() {
            self.parts(Until::Body, &mut parts);
            self.leave();
        }
        WordNode { parts, span: self.span_from(start) }
    }
}
