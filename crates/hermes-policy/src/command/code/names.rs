//! Names that the code gives to calls: `from os import system as s`, `e = os.system`, `os["system"]`,
//! `getattr(os, "system")`. What comes out are the same tokens, with the names that the table knows.

use std::collections::HashMap;

use crate::command::ruleset::Language;
use crate::command::tokens::Token;

/// The names that stand there in pieces, in the order of their places, put together.
pub(super) fn in_pieces(tokens: &[Token<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = tokens;
    while let Some((_, behind)) = rest.split_first() {
        rest = match piece(rest) {
            Some((module, name, len)) => {
                found.push(format!("{module}.{name}"));
                rest.get(len..).unwrap_or_default()
            }
            None => behind,
        };
    }
    found
}

/// `os["system"]` and `getattr(os, "system")`, and how many tokens that takes.
fn piece<'t>(tokens: &'t [Token<'_>]) -> Option<(&'t str, &'t str, usize)> {
    let (module, name, len) = match tokens {
        [
            Token::Word("getattr"),
            Token::Mark('('),
            Token::Word(module),
            Token::Mark(','),
            Token::Text(name),
            Token::Mark(')'),
            ..,
        ] => (*module, name, 6),
        [Token::Word(module), Token::Mark('['), Token::Text(name), Token::Mark(']'), ..] => {
            (*module, name, 4)
        }
        _ => return None,
    };
    is_name(name).then_some((module, name.as_str(), len))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() <= 64 && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The tokens with every such name in one piece, and with names that stand for calls replaced by theirs.
pub(super) fn resolved<'t>(
    tokens: &'t [Token<'t>],
    pieces: &'t [String],
    language: &Language,
) -> Vec<Token<'t>> {
    let mut pieces = pieces.iter();
    let mut calls: HashMap<&str, &'t str> = HashMap::new();
    let mut out: Vec<Token<'t>> = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let Some((token, behind)) = rest.split_first() {
        let mut taken = 1;
        match token {
            Token::Word(_) if piece(rest).is_some() => {
                taken = piece(rest).map_or(1, |(_, _, len)| len);
                out.extend(pieces.next().map(|name| Token::Word(name)));
            }
            Token::Word(word) => out.push(Token::Word(calls.get(word).copied().unwrap_or(word))),
            // A name that was in a variable: `$f = "system"; $f("…")`.
            Token::Text(name) if behind.first().is_some_and(|next| next.is('(')) && is_name(name) => {
                out.push(Token::Word(name))
            }
            // `require("child_process")["exec"]`
            Token::Mark('[')
                if matches!(out.last(), Some(Token::Mark(')')))
                    && matches!(behind, [Token::Text(name), Token::Mark(']'), ..] if is_name(name)) =>
            {
                taken = 3;
                out.push(Token::Mark('.'));
                out.extend(behind.first().and_then(Token::text).map(Token::Word));
            }
            other => out.push(other.clone()),
        }
        rest = rest.get(taken..).unwrap_or_default();
        learn(&out, rest, language, &mut calls);
    }
    out
}

/// Remembers a name that has just been given to a call.
fn learn<'t>(
    out: &[Token<'t>],
    behind: &'t [Token<'t>],
    language: &Language,
    calls: &mut HashMap<&'t str, &'t str>,
) {
    let Some(Token::Word(word)) = out.last() else { return };
    // `{ exec: e } = require("child_process")`
    if let Some((call, name)) = word.split_once(':')
        && is_name(name)
        && language.may_call(call)
    {
        calls.insert(name, call);
    }
    if !language.may_call(word) {
        return;
    }
    if let [Token::Word("as"), Token::Word(name), ..] = behind {
        calls.insert(name, word);
    }
    let called = matches!(behind.first(), Some(Token::Mark('(' | '.' | '[') | Token::Text(_)));
    if called || language.bare {
        return;
    }
    let front = out.split_last().map_or(&[][..], |(_, front)| front);
    let front = match front {
        [
            front @ ..,
            Token::Word("require"),
            Token::Mark('('),
            Token::Text(_),
            Token::Mark(')'),
            Token::Mark('.'),
        ] => front,
        front => front,
    };
    if let [.., Token::Word(name), Token::Mark('=')] = front {
        calls.insert(name, word);
    }
}
