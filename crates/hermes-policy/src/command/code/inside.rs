//! What a call is given.

use crate::command::tokens::Token;

/// What stands inside the parentheses of a call, or on its line if the language needs none.
pub(super) struct Inside<'t> {
    pub texts: Vec<&'t str>,
    /// A list, or several strings: words of one command rather than a text.
    pub words: bool,
    /// Something in front of the first string that only running would tell.
    pub open: bool,
}

pub(super) fn inside<'t>(tokens: &'t [Token<'_>], start: usize) -> Inside<'t> {
    let mut found = Inside { texts: Vec::new(), words: false, open: false };
    let mut depth = 0usize;
    let parenthesised = tokens.get(start).is_some_and(|token| token.is('('));
    for token in tokens.iter().skip(start).take(200) {
        match token {
            Token::Mark('(') => depth += 1,
            Token::Mark(')') => {
                depth = depth.saturating_sub(1);
                if depth == 0 && parenthesised {
                    break;
                }
            }
            Token::Mark('\n' | ';') if depth == 0 => break,
            Token::Mark('[') => found.words = true,
            Token::Text(text) => found.texts.push(text),
            Token::Word(word)
                if found.texts.is_empty()
                    && !matches!(
                        *word,
                        "r" | "b" | "f" | "u" | "rb" | "path" | "Path" | "pathlib.Path" | "glob"
                    ) =>
            {
                found.open = true
            }
            _ => {}
        }
    }
    found.words |= found.texts.len() > 1;
    found
}
