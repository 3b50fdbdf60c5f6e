//! Strings that the code puts together, followed as far as letters tell: `"rm " + "-rf /"`, `c = "rm"`,
//! `" ".join(["rm", "-rf"])`, `f"rm {c}"`. What comes out are the same tokens, with the strings that the calls get.

use std::collections::HashMap;

use crate::command::ruleset::Language;
use crate::command::tokens::Token;

use super::homes::is_home_inside;

/// Longer strings are no longer put together: each step could double them.
const LONGEST: usize = 4096;
/// More strings than anybody hands to a program.
const MOST: usize = 64;
/// What stands for a part that only running would tell, in the shell's own words.
const UNKNOWN: &str = "${__unknown__}";

pub(super) fn put_together<'a>(tokens: Vec<Token<'a>>, language: &Language) -> Vec<Token<'a>> {
    let mut folder =
        Folder { language, out: Vec::with_capacity(tokens.len()), values: HashMap::new(), pending: None };
    let mut rest = tokens.into_iter().peekable();
    let mut before: Option<Token<'a>> = None;
    while let Some(token) = rest.next() {
        let next = rest.peek();
        folder.settle(&token);
        let kept = token.is('+') || token.is('.') || token.is('=') || matches!(token, Token::Word(_));
        folder.take(token.clone(), before.as_ref(), next);
        before = kept.then_some(token);
    }
    folder.out
}

struct Folder<'a, 'l> {
    language: &'l Language,
    out: Vec<Token<'a>>,
    /// Names that were given a string, or a list of strings.
    values: HashMap<&'a str, Vec<Token<'a>>>,
    pending: Option<Pending<'a>>,
}

/// An assignment whose value is being read.
struct Pending<'a> {
    name: &'a str,
    start: usize,
    /// `+=`
    appends: bool,
}

impl<'a> Folder<'a, '_> {
    fn take(&mut self, token: Token<'a>, before: Option<&Token<'a>>, next: Option<&Token<'a>>) {
        match token {
            Token::Back(text) if !self.language.backquotes => self.text(text),
            Token::Back(text) => {
                let filled = self.filled(&text, false);
                self.out.push(Token::Back(filled));
            }
            Token::Text(text) => self.text(text),
            Token::Word(name) => self.word(name, before, next),
            Token::Mark('=') if !next.is_some_and(|next| next.is('=') || next.is('~')) => self.assignment(),
            Token::Mark(')') => {
                self.out.push(Token::Mark(')'));
                self.join();
            }
            other => self.out.push(other),
        }
    }

    fn word(&mut self, name: &'a str, before: Option<&Token<'a>>, next: Option<&Token<'a>>) {
        let is_target = next.is_some_and(|next| next.is('=')) || before.is_some_and(|before| before.is('.'));
        let is_appended = next.is_some_and(|next| next.is('+') || next.is('.'));
        match self.values.get(name) {
            Some(value) if !is_target => {
                // `c += "x"` is seen at its `=`, so the name must still stand there then.
                if is_appended && value.len() == 1 {
                    self.out.push(Token::Word(name));
                    return;
                }
                match value.as_slice() {
                    [Token::Text(text)] => {
                        let text = text.clone();
                        self.text(text);
                    }
                    several => self.out.extend_from_slice(several),
                }
            }
            _ => self.method(name, next),
        }
    }

    /// `p.write_text(…)`: a method of a name that was given a string belongs to that string.
    fn method(&mut self, name: &'a str, next: Option<&Token<'a>>) {
        let parts = name.rsplit_once('.').filter(|_| next.is_some_and(|next| next.is('(')));
        let value = parts.and_then(|(front, method)| Some((self.values.get(front)?, method)));
        match value {
            Some((value, method)) if matches!(value.as_slice(), [Token::Text(_)]) => {
                let value = value.clone();
                self.out.extend(value);
                self.out.push(Token::Mark('.'));
                self.out.push(Token::Word(method));
            }
            _ => self.out.push(Token::Word(name)),
        }
    }

    fn assignment(&mut self) {
        self.pending = match self.out.as_slice() {
            [.., Token::Word(name), Token::Mark('+' | '.')] => {
                Some(Pending { name, start: self.out.len() + 1, appends: true })
            }
            [.., Token::Word(name)] => Some(Pending { name, start: self.out.len() + 1, appends: false }),
            _ => None,
        };
        if let Some(Pending { name, appends: false, .. }) = self.pending {
            self.values.remove(name);
        }
        self.out.push(Token::Mark('='));
    }

    /// Remembers the value of an assignment once it has ended, which the token behind it tells.
    fn settle(&mut self, behind: &Token<'a>) {
        let Some(pending) = &self.pending else { return };
        let value = self.out.get(pending.start..).unwrap_or_default();
        if value.len() > 2 * MOST {
            self.pending = None;
            return;
        }
        let ends = matches!(behind, Token::Word(_) | Token::Mark(';' | '\n' | ',' | ')' | '}'));
        let complete = match value {
            [Token::Text(_)] => true,
            [Token::Mark('[' | '('), inner @ .., Token::Mark(']' | ')')] => {
                inner.iter().all(|token| matches!(token, Token::Text(_) | Token::Mark(',')))
            }
            _ => false,
        };
        if !(ends && complete) {
            return;
        }
        let (name, appends, value) = (pending.name, pending.appends, value.to_vec());
        self.pending = None;
        match (appends, self.values.get_mut(name).map(Vec::as_mut_slice), value.as_slice()) {
            (true, Some([Token::Text(old)]), [Token::Text(new)]) if old.len() + new.len() <= LONGEST => {
                old.push_str(new)
            }
            (true, _, _) => {
                self.values.remove(name);
            }
            (false, _, _) => {
                self.values.insert(name, value);
            }
        }
    }

    /// A string: put to the one in front of it where the code does so.
    fn text(&mut self, text: String) {
        let prefixed =
            !self.language.bare && matches!(self.out.last(), Some(Token::Word("f" | "F" | "rf" | "fr")));
        if prefixed {
            self.out.pop();
        }
        let text = self.filled(&text, prefixed);
        let adjacent = !self.language.bare && !self.language.lisp;
        self.name_in_front();
        let signs = match self.out.as_slice() {
            [.., Token::Text(_)] if adjacent => 0,
            [.., Token::Text(_), Token::Mark('.'), Token::Mark('.')]
            | [.., Token::Text(_), Token::Mark('<'), Token::Mark('>')]
            | [.., Token::Text(_), Token::Mark('+'), Token::Mark('+')] => 2,
            [.., Token::Text(_), Token::Mark('+' | '.' | '~' | '^')] => 1,
            _ => return self.out.push(Token::Text(text)),
        };
        let end = self.out.len() - signs;
        match self.out.get_mut(..end).and_then(<[_]>::last_mut) {
            Some(Token::Text(front)) if front.len() + text.len() <= LONGEST => {
                front.push_str(&text);
                self.out.truncate(end);
            }
            _ => self.out.push(Token::Text(text)),
        }
    }

    /// `c + "x"`: a name that was left standing because `c += "x"` begins like it.
    fn name_in_front(&mut self) {
        let signs = self.out.iter().rev().take_while(|token| token.is('+') || token.is('.')).count();
        let Some(place) = self.out.len().checked_sub(signs + 1).filter(|_| signs > 0) else { return };
        if let Some(Token::Word(name)) = self.out.get(place)
            && let Some([value]) = self.values.get(name).map(Vec::as_slice)
            && let Some(stands) = self.out.get_mut(place)
        {
            *stands = value.clone();
        }
    }

    /// The string with the names in it replaced: `#{x}`, `${x}`, `$x`, and `{x}` where it is marked so.
    fn filled(&self, text: &str, braces: bool) -> String {
        let mut filled = String::new();
        let whole = text.replace("$ENV{HOME}", "~").replace("$ENV{'HOME'}", "~");
        let mut rest = whole.as_str();
        let last = whole.rfind('}').unwrap_or(0);
        while let Some(place) = rest.find(['#', '$', '{']) {
            let (front, behind) = rest.split_at_checked(place).unwrap_or((rest, ""));
            filled.push_str(front);
            let open = ["#{", "${", "{"].into_iter().find(|open| behind.starts_with(open));
            let end = open.filter(|open| *open != "{" || braces).and_then(|open| {
                // Not looked for where none is left.
                let from = whole.len() - behind.len();
                let end = behind.get(..(last + 1).saturating_sub(from))?.find('}')?;
                Some((behind.get(open.len()..end)?, end + 1, open))
            });
            let (name, taken, open) = match end {
                Some((name, taken, open)) => (name, taken, open),
                None => {
                    let name = behind.get(1..).unwrap_or("");
                    let len = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
                    match behind.get(..=len).filter(|_| behind.starts_with('$')) {
                        Some(name) => (name, name.len(), "$"),
                        None => (behind.get(..1).unwrap_or(""), 1, ""),
                    }
                }
            };
            let value = [name.to_owned(), format!("${name}")]
                .iter()
                .find_map(|name| self.values.get(name.trim()))
                .and_then(|value| match value.as_slice() {
                    [Token::Text(value)] => Some(value.as_str()),
                    _ => None,
                })
                .or_else(|| is_home_inside(name).then_some("~"));
            filled.push_str(match (value, open) {
                (Some(value), _) if filled.len() + value.len() <= LONGEST => value,
                (None, "#{" | "{") => UNKNOWN,
                _ => behind.get(..taken).unwrap_or(""),
            });
            rest = behind.get(taken..).unwrap_or("");
        }
        filled.push_str(rest);
        filled
    }

    /// `" ".join(["rm", "-rf"])`, `["rm", "-rf"].join(" ")`, `join(" ", "rm", "-rf")`, once its bracket is closed.
    fn join(&mut self) {
        let from = self.out.len().saturating_sub(2 * MOST);
        let tail = self.out.get(from..).unwrap_or_default();
        let Some(word) = tail.iter().rposition(|token| matches!(token, Token::Word("join" | "implode")))
        else {
            return;
        };
        let (front, behind) =
            (tail.get(..word).unwrap_or_default(), tail.get(word + 1..).unwrap_or_default());
        let [Token::Mark('('), given @ .., Token::Mark(')')] = behind else { return };
        let strings = |tokens: &[Token<'_>]| -> Option<Vec<String>> {
            let plain = tokens
                .iter()
                .all(|token| matches!(token, Token::Text(_) | Token::Mark(',' | '[' | ']' | '(' | ')')));
            plain.then(|| tokens.iter().filter_map(|token| token.text().map(str::to_owned)).collect())
        };
        let Some(given) = strings(given) else { return };
        let (joined, taken) = match front {
            [.., Token::Text(between), Token::Mark('.')] => (given.join(between), word - 2),
            [.., Token::Mark(']'), Token::Mark('.')] => {
                let Some(open) = front.iter().rposition(|token| token.is('[')) else { return };
                let list =
                    front.get(open..).unwrap_or_default().split_last().map_or(&[][..], |(_, list)| list);
                let Some(list) = strings(list) else { return };
                let percent =
                    open.checked_sub(1).filter(|place| front.get(*place).is_some_and(|it| it.is('%')));
                (list.join(given.first().map_or("", String::as_str)), percent.unwrap_or(open))
            }
            _ => match given.split_first() {
                Some((between, list)) => (list.join(between), word),
                None => return,
            },
        };
        if joined.len() <= LONGEST {
            self.out.truncate(from + taken);
            self.out.push(Token::Text(joined));
        }
    }
}
