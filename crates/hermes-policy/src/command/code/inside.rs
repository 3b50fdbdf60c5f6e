//! What a call is given.

use crate::command::tokens::Token;

/// What stands inside the parentheses of a call, or on its line if the language needs none.
pub(super) struct Inside<'t> {
    pub texts: Vec<&'t str>,
    /// A list, or several strings: words of one command rather than a text.
    pub words: bool,
    /// Something in front of the first string that only running would tell.
    pub open: bool,
    /// The strings are put together with what only running would tell.
    pub joined: bool,
    /// The strings are in a code that is read first.
    pub decoded: bool,
    /// It goes down into folders.
    pub recursive: bool,
    /// `()`
    pub empty: bool,
}

pub(super) fn inside<'t>(tokens: &'t [Token<'_>], start: usize) -> Inside<'t> {
    let mut found = Inside {
        texts: Vec::new(),
        words: false,
        open: false,
        joined: false,
        decoded: false,
        recursive: false,
        empty: matches!(tokens.get(start..), Some([Token::Mark('('), Token::Mark(')'), ..])),
    };
    let mut text_before = false;
    let mut depth = 0usize;
    let parenthesised = tokens.get(start).is_some_and(|token| token.is('('));
    for (place, token) in tokens.iter().enumerate().skip(start).take(200) {
        let text_now = matches!(token, Token::Text(_));
        // A method that only cuts a string leaves its words as they are.
        let changed = ['+', '%', '['].iter().any(|mark| token.is(*mark))
            || (token.is('.') && !is_cut(tokens.get(place + 1)));
        found.joined |= text_before && changed;
        text_before = text_now;
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
            Token::Word(word) if word.starts_with("recursive") => found.recursive = true,
            Token::Word(word) if found.texts.is_empty() && is_home(word) => found.texts.push("~"),
            Token::Word(word) if is_decoder(word) => {
                found.open |= found.texts.is_empty();
                found.decoded = true;
            }
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

/// `"ls -l".split()`: what follows the dot behind a string.
fn is_cut(method: Option<&Token<'_>>) -> bool {
    matches!(method, Some(Token::Word("split" | "strip" | "trim" | "encode" | "chomp" | "freeze")))
}

/// What stands for the home folder in one language or another.
fn is_home(word: &str) -> bool {
    const HOMES: &[&str] =
        &["Dir.home", "homedir", "Path.home", "process.env.HOME", "os.environ.HOME", "ENV.HOME"];
    HOMES.iter().any(|name| word == *name || word.ends_with(&format!(".{name}")))
}

/// `b64decode`, `bytes.fromhex`, `atob`, `pack`: what comes out is not what stands there.
fn is_decoder(word: &str) -> bool {
    const DECODERS: &[&str] = &[
        "b64decode",
        "b32decode",
        "b16decode",
        "a85decode",
        "b85decode",
        "urlsafe_b64decode",
        "standard_b64decode",
        "decodebytes",
        "fromhex",
        "unhexlify",
        "decompress",
        "atob",
        "decode64",
        "strict_decode64",
        "urlsafe_decode64",
        "base64_decode",
        "decode_base64",
        "hex2bin",
        "gzinflate",
        "gzuncompress",
        "str_rot13",
        "convert_uudecode",
        "inflate",
        "inflateSync",
        "gunzipSync",
        "unpack",
        "pack",
        "Buffer.from",
        "fromCharCode",
        "reversed",
        "chr",
    ];
    DECODERS.iter().any(|name| {
        word.strip_suffix(name)
            .is_some_and(|front| front.is_empty() || front.ends_with('.') || front.ends_with(':'))
    })
}
