//! A position in a text, moved forward only.

use super::dialect::{Dialect, Forgiven};
use super::flaw::{Flaw, Kind};

/// Deeper nesting than any honest call has; keeps the recursion off the end of the stack.
pub(super) const MAX_DEPTH: usize = 128;

pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) dialect: Dialect,
    pub(super) forgiven: Forgiven,
    pub(super) depth: usize,
    /// What stands under one of these keys is kept as text where it is wrong in itself.
    pub(super) apart: &'static [&'static str],
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, dialect: Dialect) -> Self {
        Cursor { text, at: 0, dialect, forgiven: Forgiven::default(), depth: 0, apart: &[] }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn rest_bytes(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Consumes the byte if it is next.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub(super) fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Consumes bytes for as long as they qualify. They must be ASCII, so that the position stays on a
    /// character boundary.
    pub(super) fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii() && wanted(byte)) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// The flaw of finding something else here, or the end of the text.
    pub(super) fn missing(&self, expected: &'static str) -> Flaw {
        let kind = if self.at >= self.text.len() { Kind::Truncated } else { Kind::Unexpected };
        Flaw::new(self.at, kind, expected)
    }
}
