//! Patterns: `*`, `?`, `[…]` and the extended forms, matched in time linear in the text.

use super::model::{Piece, Word};

/// More readings of an extended pattern than this are not tried.
const MAX_READINGS: usize = 64;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Letter(char),
    One,
    Many,
    Class { negated: bool, members: Vec<(char, char)> },
}

/// Whether a pattern for file names matches the text. A backslash takes the meaning from the character
/// behind it; `*` and `?` do not match a slash. `*(…)`, `+(…)` and `!(…)` are taken for `*`, which matches
/// more: a caller who looks for dangerous names must not miss one.
pub fn glob_matches(pattern: &str, text: &str) -> bool {
    begins_and_ends(pattern, text) && readings(pattern).iter().any(|tokens| matches(tokens, text, true))
}

/// Whether the text begins and ends with what is plain in the pattern; most texts do not.
fn begins_and_ends(pattern: &str, text: &str) -> bool {
    let (head, tail) = plain_ends(pattern);
    text.starts_with(head) && text.ends_with(tail)
}

pub(super) fn plain_ends(pattern: &str) -> (&str, &str) {
    let head = pattern.find(is_special).and_then(|at| pattern.get(..at)).unwrap_or(pattern);
    let tail =
        pattern.rfind(is_special).and_then(|at| pattern.get(at.saturating_add(1)..)).unwrap_or(pattern);
    (head, tail)
}

fn is_special(c: char) -> bool {
    matches!(c, '*' | '?' | '[' | ']' | '\\' | '@' | '+' | '!' | '(' | ')' | '|')
}

/// The pattern that a word stands for, with whatever is not special escaped; none if parts are unknown.
pub fn pattern_of(word: &Word) -> Option<String> {
    let mut pattern = String::new();
    for piece in &word.pieces {
        match piece {
            Piece::Text(text) => escape_into(&mut pattern, text),
            Piece::Glob(glob) => pattern.push_str(glob),
            Piece::Unknown { .. } => return None,
        }
    }
    Some(pattern)
}

/// Adds text to a pattern so that it stands for itself.
pub(super) fn escape_into(pattern: &mut String, text: &str) {
    for c in text.chars() {
        if is_special(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
}

pub(super) fn matches(tokens: &[Token], text: &str, path: bool) -> bool {
    let mut states = States::new(tokens, path);
    text.chars().all(|c| states.step(c)) && states.accepting()
}

/// The lengths in characters of all beginnings of the text that match.
pub(super) fn matching_lengths(tokens: &[Token], text: impl Iterator<Item = char>) -> Vec<usize> {
    let mut states = States::new(tokens, false);
    let mut lengths = Vec::new();
    if states.accepting() {
        lengths.push(0);
    }
    for (at, c) in text.enumerate() {
        if !states.step(c) {
            break;
        }
        if states.accepting() {
            lengths.push(at.saturating_add(1));
        }
    }
    lengths
}

/// All places in the pattern that the text read so far may have led to.
struct States<'a> {
    tokens: &'a [Token],
    live: Vec<bool>,
    spare: Vec<bool>,
    path: bool,
}

impl<'a> States<'a> {
    fn new(tokens: &'a [Token], path: bool) -> Self {
        let mut live = vec![false; tokens.len().saturating_add(1)];
        if let Some(first) = live.first_mut() {
            *first = true;
        }
        let spare = live.clone();
        let mut states = States { tokens, live, spare, path };
        states.skip_empty();
        states
    }

    /// `*` may match nothing.
    fn skip_empty(&mut self) {
        for (at, token) in self.tokens.iter().enumerate() {
            if *token == Token::Many
                && self.live.get(at) == Some(&true)
                && let Some(next) = self.live.get_mut(at.saturating_add(1))
            {
                *next = true;
            }
        }
    }

    /// Reads a character; false if nothing can match any more.
    fn step(&mut self, c: char) -> bool {
        let mut next = std::mem::take(&mut self.spare);
        next.fill(false);
        let mut any = false;
        for (at, token) in self.tokens.iter().enumerate() {
            if self.live.get(at) != Some(&true) {
                continue;
            }
            let slash = self.path && c == '/';
            let to = match token {
                Token::Letter(letter) if *letter == c => at.saturating_add(1),
                Token::One if !slash => at.saturating_add(1),
                Token::Many if !slash => at,
                Token::Class { negated, members } if !slash => {
                    let inside = members.iter().any(|(from, to)| *from <= c && c <= *to);
                    if inside == *negated {
                        continue;
                    }
                    at.saturating_add(1)
                }
                _ => continue,
            };
            if let Some(state) = next.get_mut(to) {
                *state = true;
                any = true;
            }
        }
        self.spare = std::mem::replace(&mut self.live, next);
        self.skip_empty();
        any
    }

    fn accepting(&self) -> bool {
        self.live.last() == Some(&true)
    }
}

/// The plain patterns that a pattern stands for: one, unless it has extended parts.
pub(super) fn readings(pattern: &str) -> Vec<Vec<Token>> {
    let mut found: Vec<Vec<Token>> = vec![Vec::new()];
    let chars: Vec<char> = pattern.chars().collect();
    let mut at = 0;
    while let Some(c) = chars.get(at).copied() {
        let next = chars.get(at.saturating_add(1)).copied();
        if next == Some('(')
            && matches!(c, '?' | '*' | '+' | '@' | '!')
            && let Some((choices, end)) = choices(&chars, at.saturating_add(2))
        {
            found = with_choices(found, c, &choices);
            at = end;
            continue;
        }
        let (token, end) = token(&chars, at);
        for tokens in &mut found {
            // Two stars in a row say no more than one.
            if token != Token::Many || tokens.last() != Some(&Token::Many) {
                tokens.push(token.clone());
            }
        }
        at = end;
    }
    found
}

fn with_choices(found: Vec<Vec<Token>>, sign: char, choices: &[String]) -> Vec<Vec<Token>> {
    let mut endings: Vec<Vec<Token>> = Vec::new();
    if matches!(sign, '@' | '?') {
        for choice in choices {
            endings.push(
                choice.chars().map(|c| if c == '*' { Token::Many } else { Token::Letter(c) }).collect(),
            );
        }
        if sign == '?' {
            endings.push(Vec::new());
        }
    }
    if endings.is_empty() || found.len().saturating_mul(endings.len()) > MAX_READINGS {
        endings = vec![vec![Token::Many]];
    }
    let mut all = Vec::new();
    for start in &found {
        for ending in &endings {
            all.push(start.iter().chain(ending).cloned().collect());
        }
    }
    all
}

/// The alternatives of an extended pattern and where it ends.
fn choices(chars: &[char], start: usize) -> Option<(Vec<String>, usize)> {
    let mut list = vec![String::new()];
    let mut nested = 0usize;
    for (ahead, c) in chars.get(start..)?.iter().enumerate() {
        match c {
            ')' if nested == 0 => return Some((list, start.saturating_add(ahead).saturating_add(1))),
            '|' if nested == 0 => list.push(String::new()),
            c => {
                match c {
                    '(' => nested = nested.saturating_add(1),
                    ')' => nested = nested.saturating_sub(1),
                    _ => {}
                }
                list.last_mut()?.push(*c);
            }
        }
    }
    None
}

fn token(chars: &[char], at: usize) -> (Token, usize) {
    let after = at.saturating_add(1);
    match chars.get(at).copied().unwrap_or('\0') {
        '*' => (Token::Many, after),
        '?' => (Token::One, after),
        '\\' => match chars.get(after) {
            Some(c) => (Token::Letter(*c), after.saturating_add(1)),
            None => (Token::Letter('\\'), after),
        },
        '[' => class(chars, after).unwrap_or((Token::Letter('['), after)),
        c => (Token::Letter(c), after),
    }
}

/// A bracket expression behind its `[`.
fn class(chars: &[char], start: usize) -> Option<(Token, usize)> {
    let negated = matches!(chars.get(start), Some('!' | '^'));
    let first = start.saturating_add(usize::from(negated));
    let mut at = first;
    let mut members = Vec::new();
    loop {
        let c = *chars.get(at)?;
        if c == ']' && at > first {
            return Some((Token::Class { negated, members }, at.saturating_add(1)));
        }
        if c == '[' && chars.get(at.saturating_add(1)) == Some(&':') {
            let (ranges, end) = named_class(chars, at.saturating_add(2))?;
            members.extend_from_slice(ranges);
            at = end;
            continue;
        }
        let escaped = usize::from(c == '\\');
        let from = *chars.get(at.saturating_add(escaped))?;
        at = at.saturating_add(escaped).saturating_add(1);
        let to = chars.get(at.saturating_add(1)).copied().filter(|to| *to != ']');
        match (chars.get(at), to) {
            (Some('-'), Some(to)) => {
                members.push((from, to));
                at = at.saturating_add(2);
            }
            _ => members.push((from, from)),
        }
    }
}

fn named_class(chars: &[char], start: usize) -> Option<(&'static [(char, char)], usize)> {
    let rest = chars.get(start..)?;
    let length = rest.iter().take(8).position(|c| *c == ':')?;
    let name: String = rest.get(..length)?.iter().collect();
    let ranges: &[(char, char)] = match name.as_str() {
        "alpha" => &[('a', 'z'), ('A', 'Z')],
        "digit" => &[('0', '9')],
        "alnum" | "word" => &[('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')],
        "lower" => &[('a', 'z')],
        "upper" => &[('A', 'Z')],
        "space" | "blank" => &[(' ', ' '), ('\t', '\r')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "xdigit" => &[('0', '9'), ('a', 'f'), ('A', 'F')],
        "print" | "graph" => &[('!', '~')],
        _ => return None,
    };
    Some((ranges, start.saturating_add(length).saturating_add(2)))
}
