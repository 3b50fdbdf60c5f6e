//! Redirections: every sign, with a number, `{name}` or nothing in front.

use super::super::chars;
use super::super::model::RedirectKind;
use super::super::tree::{Redirection, Target};
use super::Parser;

/// The signs, longest first.
const SIGNS: [(&str, RedirectKind); 12] = [
    ("&>>", RedirectKind::AppendBoth),
    ("<<<", RedirectKind::HereString),
    ("<<-", RedirectKind::HereDocument),
    ("&>", RedirectKind::WriteBoth),
    (">>", RedirectKind::Append),
    (">|", RedirectKind::Write),
    (">&", RedirectKind::WriteBoth),
    ("<<", RedirectKind::HereDocument),
    ("<>", RedirectKind::ReadWrite),
    ("<&", RedirectKind::Duplicate),
    ("<", RedirectKind::Read),
    (">", RedirectKind::Write),
];

impl Parser<'_, '_> {
    /// Reads one redirection if one stands here.
    pub(super) fn redirection_into(&mut self, redirects: &mut Vec<Redirection>) -> bool {
        let start = self.at;
        let (mut fd, variable) = self.descriptor();
        let Some((sign, mut kind)) = self.sign() else {
            self.at = start;
            return false;
        };
        let dup = sign == ">&" || sign == "<&";
        self.bump(sign.len());
        self.doubt_split_operator();
        self.skip_blanks();
        if kind == RedirectKind::HereDocument {
            let body = self.open_here_document(sign == "<<-");
            redirects.push(Redirection { kind, fd, variable, target: Target::Body(body) });
            return true;
        }
        let target = self.word();
        if target.parts.is_empty() {
            self.lacks("a redirection without a target");
        }
        if dup {
            // `>&file` writes both streams; `>&2`, `<&-` and `>&3-` copy or close a descriptor. What is
            // only known at run time can be either, and a file is the graver of the two.
            let copies = target.bare().is_some_and(|text| {
                let number = text.strip_suffix('-').unwrap_or(text);
                number.bytes().all(|byte| byte.is_ascii_digit())
            });
            if copies || sign == "<&" {
                kind = RedirectKind::Duplicate;
                // The sign is not kept, so the descriptor that it stands for is.
                fd = fd.or(Some(u32::from(sign == ">&")));
            } else {
                kind = RedirectKind::WriteBoth;
            }
        }
        redirects.push(Redirection { kind, fd, variable, target: Target::Word(target) });
        true
    }

    /// `12` or `{name}` directly before a sign.
    fn descriptor(&mut self) -> (Option<u32>, Option<String>) {
        let start = self.at;
        let braced = self.peek() == Some(b'{');
        if braced {
            self.bump(1);
            while self.peek().is_some_and(|byte| chars::is_name_byte(byte) || matches!(byte, b'[' | b']')) {
                self.bump(1);
            }
            let name = self.slice(start.saturating_add(1)..self.at);
            if self.peek() == Some(b'}') && name.bytes().next().is_some_and(chars::is_name_start) {
                let name = name.to_owned();
                self.bump(1);
                if matches!(self.peek(), Some(b'<' | b'>')) {
                    return (None, Some(name));
                }
            }
            self.at = start;
            return (None, None);
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.bump(1);
        }
        let number = self.slice(start..self.at);
        if number.is_empty() || !matches!(self.peek(), Some(b'<' | b'>')) {
            self.at = start;
            return (None, None);
        }
        (number.parse().ok(), None)
    }

    fn sign(&self) -> Option<(&'static str, RedirectKind)> {
        if !matches!(self.peek(), Some(b'<' | b'>' | b'&')) {
            return None;
        }
        // `<(` and `>(` begin a word.
        if matches!(self.peek(), Some(b'<' | b'>')) && self.peek_at(1) == Some(b'(') {
            return None;
        }
        SIGNS.into_iter().find(|(sign, _)| self.starts_with(sign))
    }
}
