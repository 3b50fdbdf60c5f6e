//! Quotes: `'…'`, `"…"`, `$'…'` and backquotes.

use super::super::tree::{Part, Substitution};
use super::Parser;
use super::list::Closer;
use super::word::{Until, push_text};

impl Parser<'_, '_> {
    pub(super) fn single_quote(&mut self, parts: &mut Vec<Part>) {
        self.bump(1);
        let rest = self.rest();
        let end = rest.find('\'');
        let text = rest.get(..end.unwrap_or(rest.len())).unwrap_or("");
        self.inspect(self.at, text, true);
        push_text(parts, text, true);
        self.bump(text.len());
        if end.is_none() {
            self.lacks("a single quote is not closed");
        }
        self.bump(1);
    }

    /// `'…'` in `"${x:-'…'}"`: the quotes are letters and what is between them is expanded, but no brace
    /// or double quote in it counts.
    pub(super) fn quote_between_quotes(&mut self, parts: &mut Vec<Part>) {
        let start = self.at;
        self.bump(1);
        let rest = self.rest();
        let end = rest.find('\'');
        let inner = rest.get(..end.unwrap_or(rest.len())).unwrap_or("");
        self.inspect(self.at, inner, true);
        let origin = self.origin_of(start..self.at.saturating_add(inner.len()));
        push_text(parts, "'", true);
        parts.extend(Parser::new(inner, origin, self.depth, self.notes).body().parts);
        push_text(parts, "'", true);
        self.bump(inner.len());
        if end.is_none() {
            self.lacks("a single quote is not closed");
        }
        self.bump(1);
    }

    pub(super) fn double_quote(&mut self, parts: &mut Vec<Part>) {
        self.bump(1);
        let mut inner = Vec::new();
        self.parts(Until::Quote, &mut inner);
        if inner.is_empty() {
            // An empty pair of quotes still makes a word.
            push_text(parts, "", true);
        }
        for part in inner {
            match part {
                Part::Text { text, .. } => push_text(parts, &text, true),
                other => parts.push(other),
            }
        }
        if !self.eat("\"") {
            self.lacks("a double quote is not closed");
        }
    }

    /// `$'…'`, the dollar sign included. In `"${x:-$'…'}"` what it stands for is expanded once more.
    pub(super) fn ansi_quote(&mut self, expanded: bool, parts: &mut Vec<Part>) {
        self.bump(2);
        let start = self.at;
        loop {
            match self.peek() {
                None => {
                    self.lacks("a single quote is not closed");
                    break;
                }
                Some(b'\'') => break,
                Some(b'\\') => self.bump(2),
                Some(_) => self.bump(1),
            }
        }
        // Two bytes at a backslash may end inside a character only at the end of the text.
        let text = self.slice(start..self.at);
        self.inspect(start, text, true);
        let meant = ansi_c(text);
        if expanded {
            let origin = self.origin_of(start..self.at);
            parts.extend(Parser::new(&meant, origin, self.depth, self.notes).body().parts);
        } else {
            push_text(parts, &meant, true);
        }
        self.bump(1);
    }

    /// `` `…` ``: backslashes are taken off before the text is read as a script.
    pub(super) fn backquote(&mut self, quoted: bool, parts: &mut Vec<Part>) {
        let start = self.at;
        self.bump(1);
        let mut inner = String::new();
        let mut run = self.at;
        loop {
            match self.peek() {
                None => {
                    self.lacks("a backquote is not closed");
                    inner.push_str(self.slice(run..self.at));
                    break;
                }
                Some(b'`') => {
                    inner.push_str(self.slice(run..self.at));
                    self.bump(1);
                    break;
                }
                Some(b'\\') => {
                    let next = self.peek_at(1);
                    if matches!(next, Some(b'`' | b'\\' | b'$')) || (quoted && next == Some(b'"')) {
                        inner.push_str(self.slice(run..self.at));
                        run = self.at.saturating_add(1);
                    }
                    self.bump(1);
                    if self.peek().is_some_and(|byte| byte.is_ascii()) {
                        self.bump(1);
                    }
                }
                Some(_) => self.bump(1),
            }
        }
        let source = self.source_from(start);
        let origin = self.origin_of(start..self.at);
        let mut parser = Parser::new(&inner, origin, self.depth, self.notes);
        let list = parser.list(Closer::End);
        if parser.stopped {
            self.stopped = true;
            self.at = self.text.len();
        }
        parts.push(Part::Command(Box::new(Substitution { list, quoted, source })));
    }
}

/// The text that `$'…'` stands for.
pub(in super::super) fn ansi_c(text: &str) -> String {
    let out = escapes(text);
    // A NUL ends the string; what is no UTF-8 cannot be a known name anyway.
    let end = out.iter().position(|byte| *byte == 0).unwrap_or(out.len());
    String::from_utf8_lossy(out.get(..end).unwrap_or(&[])).into_owned()
}

/// The same for text that is printed, where a NUL is a letter like any other.
pub(in super::super) fn printed(text: &str) -> String {
    String::from_utf8_lossy(&escapes(text)).into_owned()
}

fn escapes(text: &str) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(rest.get(..at).unwrap_or("").as_bytes());
        rest = rest.get(at.saturating_add(1)..).unwrap_or("");
        let Some(c) = rest.chars().next() else {
            out.push(b'\\');
            break;
        };
        let after = rest.get(c.len_utf8()..).unwrap_or("");
        rest = match c {
            'x' => {
                // `\x{…}` is known to some versions.
                let (braced, digits) = match after.strip_prefix('{') {
                    Some(inner) => (true, inner),
                    None => (false, after),
                };
                let (value, left) = number(digits, 16, if braced { 8 } else { 2 });
                match value {
                    Some(value) => out.push((value & 0xff) as u8),
                    None => out.extend_from_slice(b"\\x"),
                }
                if value.is_none() {
                    after
                } else if braced {
                    left.strip_prefix('}').unwrap_or(left)
                } else {
                    left
                }
            }
            'u' | 'U' => {
                let (value, left) = number(after, 16, if c == 'u' { 4 } else { 8 });
                match value.and_then(char::from_u32) {
                    Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                    None => out.extend_from_slice(&[b'\\', if c == 'u' { b'u' } else { b'U' }]),
                }
                left
            }
            '0'..='7' => {
                let (value, left) = number(rest, 8, 3);
                out.push((value.unwrap_or(0) & 0xff) as u8);
                left
            }
            'c' => {
                let target = after.chars().next();
                if let Some(target) = target.filter(char::is_ascii) {
                    let control = if target == '?' { 0x7f } else { target.to_ascii_uppercase() as u8 & 0x1f };
                    out.push(control);
                }
                target.and_then(|c| after.get(c.len_utf8()..)).unwrap_or("")
            }
            _ => {
                match simple_escape(c) {
                    Some(byte) => out.push(byte),
                    None => {
                        out.push(b'\\');
                        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                }
                after
            }
        };
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

fn simple_escape(c: char) -> Option<u8> {
    Some(match c {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' => b'\\',
        '\'' => b'\'',
        '"' => b'"',
        '?' => b'?',
        _ => return None,
    })
}

/// A number at the beginning of the text, of at most so many digits, and what follows it.
pub(in super::super) fn number(text: &str, radix: u32, most: usize) -> (Option<u32>, &str) {
    let end = text.bytes().take(most).take_while(|byte| char::from(*byte).is_digit(radix)).count();
    let digits = text.get(..end).unwrap_or("");
    (u32::from_str_radix(digits, radix).ok(), text.get(end..).unwrap_or(""))
}
