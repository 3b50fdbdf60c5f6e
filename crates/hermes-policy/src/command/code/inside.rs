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
    /// `cwd="/"`, `{cwd: "/"}`, `chdir: "/"`: the folder it happens in.
    pub folder: Option<&'t str>,
    /// `file="x"`, `path="x"`: what is made, where an argument says so by its name.
    pub named: Option<&'t str>,
    /// `O_CREAT` and its like: what is opened is written.
    pub creates: bool,
    /// Numbers below 256: letters, if something decodes them.
    pub letters: Vec<u8>,
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
        folder: None,
        named: None,
        creates: false,
        letters: Vec::new(),
    };
    let mut skipped = None;
    let mut text_before = false;
    let mut depth = 0usize;
    let parenthesised = tokens.get(start).is_some_and(|token| token.is('('));
    for (place, token) in tokens.iter().enumerate().skip(start).take(200) {
        if let Some((name, value, ahead)) = keyword(tokens, place) {
            match name {
                "cwd" | "chdir" | "current_dir" | "workdir" => {
                    found.folder = Some(value);
                    skipped = Some(place + ahead);
                }
                // What a program is told is no word of its call.
                "input" => skipped = Some(place + ahead),
                "file" | "path" | "filename" | "dest" | "destfile" | "con" | "extract_dir" | "dst" => {
                    found.named = Some(value);
                }
                _ => {}
            }
        }
        if skipped == Some(place) {
            continue;
        }
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
            Token::Text(text) => {
                found.decoded |= matches!(text.as_str(), "rot13" | "rot_13" | "rot-13");
                found.texts.push(text);
            }
            Token::Number(number) => found.letters.extend(number.parse::<u8>()),
            Token::Word(word)
                if ["O_CREAT", "O_WRONLY", "O_RDWR", "O_APPEND", "O_TRUNC"]
                    .iter()
                    .any(|flag| word.ends_with(flag)) =>
            {
                found.creates = true;
            }
            Token::Word(word) if word.starts_with("recursive") => found.recursive = true,
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
    matches!(
        method,
        Some(Token::Word("split" | "strip" | "trim" | "encode" | "chomp" | "freeze" | "resolve"))
    )
}

/// `name="text"`, `name: "text"`, `:name => "text"` at a place, and how far ahead the text stands.
fn keyword<'t>(tokens: &'t [Token<'_>], place: usize) -> Option<(&'t str, &'t str, usize)> {
    match tokens.get(place..)? {
        [Token::Word(name), Token::Mark('=' | ':'), Token::Text(value), ..] => Some((name, value, 2)),
        [Token::Word(name), Token::Mark('='), Token::Word("b" | "r" | "u" | "f"), Token::Text(value), ..] => {
            Some((name, value, 3))
        }
        [Token::Word(name), Token::Mark('='), Token::Mark('>'), Token::Text(value), ..] => {
            Some((name, value, 3))
        }
        _ => None,
    }
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
