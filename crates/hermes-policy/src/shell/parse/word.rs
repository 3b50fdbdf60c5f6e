//! Words: text, quotes and expansions, up to whatever ends them in their place.

use super::super::chars;
use super::super::tree::{Part, WordNode};
use super::Parser;

/// Where a run of parts ends, and by that what quotes and escapes mean in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// A blank or operator.
    Meta,
    /// `"`
    Quote,
    /// The end of the text: a here-document's body.
    Body,
    /// `}` of `${…}`, or the given sign before it.
    Brace { quoted: bool, single: bool, sign: u8 },
    /// `]` of a subscript.
    Bracket,
    /// `))` of an arithmetic expression, or `;` in the head of a loop.
    Arithmetic { semicolon: bool },
    /// `]` of `$[…]`.
    OldArithmetic,
    /// `)` of an extended pattern.
    Pattern,
    /// A blank outside parentheses: the regular expression of `[[ x =~ … ]]`.
    Regex,
}

impl Until {
    /// Whether text is as safe from splitting as in double quotes.
    pub(super) fn quoted(self) -> bool {
        match self {
            Until::Quote | Until::Body | Until::Arithmetic { .. } | Until::OldArithmetic | Until::Bracket => {
                true
            }
            Until::Brace { quoted, .. } => quoted,
            Until::Meta | Until::Pattern | Until::Regex => false,
        }
    }

    pub(super) fn single_quotes(self) -> bool {
        match self {
            Until::Quote | Until::Body => false,
            Until::Brace { single, .. } => single,
            _ => true,
        }
    }

    /// Whether a backslash only escapes what is special between double quotes.
    fn few_escapes(self) -> bool {
        matches!(
            self,
            Until::Quote
                | Until::Body
                | Until::Arithmetic { .. }
                | Until::OldArithmetic
                | Until::Brace { quoted: true, .. }
        )
    }
}

/// Adds text to the parts, to the last of them if that is of the same kind.
pub(super) fn push_text(parts: &mut Vec<Part>, text: &str, quoted: bool) {
    match parts.last_mut() {
        Some(Part::Text { text: last, quoted: same }) if *same == quoted => last.push_str(text),
        _ => parts.push(Part::Text { text: text.to_owned(), quoted }),
    }
}

impl Parser<'_, '_> {
    /// A word in the place of a command's name or argument.
    pub(super) fn word(&mut self) -> WordNode {
        self.word_until(Until::Meta)
    }

    pub(super) fn word_until(&mut self, until: Until) -> WordNode {
        let start = self.at;
        let mut parts = Vec::with_capacity(1);
        self.parts(until, &mut parts);
        WordNode { parts, span: self.span_from(start) }
    }

    /// Reads parts up to the end that `until` names, which stays unread.
    pub(super) fn parts(&mut self, until: Until, parts: &mut Vec<Part>) {
        let quoted = until.quoted();
        let mut nested = 0usize;
        let mut run = self.at;
        while let Some(byte) = self.peek() {
            if self.ends(until, byte, &mut nested) {
                break;
            }
            let special = match byte {
                b'\\' | b'$' | b'`' => true,
                b'\'' => until.single_quotes() || matches!(until, Until::Brace { .. }),
                b'"' => until != Until::Body && until != Until::Quote,
                b'<' | b'>' => !quoted && self.peek_at(1) == Some(b'('),
                b'?' | b'*' | b'+' | b'@' | b'!' => {
                    matches!(until, Until::Meta | Until::Pattern) && self.peek_at(1) == Some(b'(')
                }
                _ => false,
            };
            if !special {
                self.bump(1);
                continue;
            }
            self.flush(run, parts, quoted);
            match byte {
                b'\\' => self.backslash(until, parts),
                b'$' => self.dollar(until, parts),
                b'`' => self.backquote(quoted, parts),
                b'\'' if until.single_quotes() => self.single_quote(parts),
                b'\'' => self.quote_between_quotes(parts),
                b'"' => self.double_quote(parts),
                b'<' | b'>' => self.process(parts),
                _ => self.pattern(parts),
            }
            run = self.at;
        }
        self.flush(run, parts, quoted);
    }

    /// Whether the run of parts ends before this byte.
    fn ends(&self, until: Until, byte: u8, nested: &mut usize) -> bool {
        let (open, close) = match until {
            // `<(` and `>(` belong to the word although they begin with an operator.
            Until::Meta => {
                return chars::is_meta(byte)
                    && !(matches!(byte, b'<' | b'>') && self.peek_at(1) == Some(b'('));
            }
            Until::Quote => return byte == b'"',
            Until::Body => return false,
            Until::Brace { sign, .. } => return byte == b'}' || (sign != 0 && byte == sign),
            Until::Bracket | Until::OldArithmetic => (b'[', b']'),
            Until::Arithmetic { semicolon } => {
                if semicolon && byte == b';' && *nested == 0 {
                    return true;
                }
                (b'(', b')')
            }
            Until::Pattern => (b'(', b')'),
            Until::Regex => {
                if *nested == 0 && (byte.is_ascii_whitespace() || byte == b')') {
                    return true;
                }
                (b'(', b')')
            }
        };
        if byte == open {
            *nested = nested.saturating_add(1);
        } else if byte == close {
            if *nested == 0 {
                return true;
            }
            *nested = nested.saturating_sub(1);
        }
        false
    }

    fn flush(&mut self, run: usize, parts: &mut Vec<Part>, quoted: bool) {
        if run < self.at {
            let text = self.slice(run..self.at);
            self.inspect(run, text, quoted);
            push_text(parts, text, quoted);
        }
    }

    fn backslash(&mut self, until: Until, parts: &mut Vec<Part>) {
        let next = self.rest().chars().nth(1);
        match next {
            None => {
                push_text(parts, "\\", true);
                self.bump(1);
            }
            Some('\n') => self.bump(2),
            Some(c) => {
                let escapes = match c {
                    '$' | '`' | '\\' => true,
                    '"' => until != Until::Body,
                    '}' => matches!(until, Until::Brace { .. }),
                    _ => false,
                };
                let start = self.at;
                self.bump(1usize.saturating_add(c.len_utf8()));
                let whole = until.few_escapes() && !escapes;
                let text = self.slice(if whole { start } else { start.saturating_add(1) }..self.at);
                self.inspect(start, text, until.quoted());
                push_text(parts, text, true);
            }
        }
    }

    /// `@(a|b)` and its like: a pattern that may hold expansions.
    fn pattern(&mut self, parts: &mut Vec<Part>) {
        let sign = self.rest().chars().next().unwrap_or('@');
        self.bump(2);
        if !self.enter() {
            return;
        }
        let inner = Box::new(self.word_until(Until::Pattern));
        self.leave();
        if !self.eat(")") {
            self.lacks("a pattern's parenthesis is not closed");
        }
        parts.push(Part::Pattern { inner, sign });
    }
}
