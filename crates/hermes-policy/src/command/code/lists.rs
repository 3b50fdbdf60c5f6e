//! Paths that the code goes through one by one: `for d in ("/etc", "/usr")`, `["/etc"].forEach(…)`, `os.walk("/")`.

use crate::command::tokens::Token;

/// How far a list is followed to the word that goes through it.
const FAR: usize = 32;
/// More paths are not looked at.
const MANY: usize = 16;

/// The strings of such lists that are whole paths.
pub(super) fn gone_through<'t>(tokens: &'t [Token<'_>]) -> Vec<&'t str> {
    let paths = tokens.iter().enumerate().filter_map(|(place, token)| {
        let path = token.text().filter(|path| path.starts_with(['/', '~']))?;
        (loops_in_front(tokens, place) || loops_behind(tokens, place)).then_some(path)
    });
    paths.take(MANY).collect()
}

fn loops_in_front(tokens: &[Token<'_>], place: usize) -> bool {
    let mut front = tokens.get(..place).unwrap_or_default().iter().rev().take(FAR);
    let word = front.find(|token| !matches!(token, Token::Text(_) | Token::Mark(',' | '(' | '[' | '{')));
    let Some(Token::Word(word)) = word else { return false };
    matches!(
        word.rsplit(['.', ':']).next().unwrap_or(word),
        "in" | "of"
            | "for"
            | "foreach"
            | "walk"
            | "listdir"
            | "scandir"
            | "glob"
            | "iglob"
            | "rglob"
            | "readdirSync"
            | "children"
            | "entries"
            | "find"
    )
}

fn loops_behind(tokens: &[Token<'_>], place: usize) -> bool {
    let behind = tokens.get(place + 1..).unwrap_or_default().iter().take(FAR);
    let mut behind =
        behind.skip_while(|token| matches!(token, Token::Text(_) | Token::Mark(',' | ')' | ']' | '}')));
    let dot = behind.next().is_some_and(|token| token.is('.'));
    dot && matches!(
        behind.next(),
        Some(Token::Word("each" | "forEach" | "map" | "iterdir" | "rglob" | "glob" | "for_each"))
    )
}
