//! How a value stands behind its `=`: bare, in single quotes, or in double quotes with escapes.

/// Written so that reading gives the same value, in the plainest form that can hold it.
pub(super) fn quote(value: &str) -> String {
    if value.chars().all(is_bare) {
        return value.to_owned();
    }
    // Single quotes mean the same to every reader of such files, shells included, but have no escapes.
    if !value.chars().any(|character| character == '\'' || character == '\\' || character.is_control()) {
        return format!("'{value}'");
    }
    let mut quoted = String::with_capacity(value.len() + 8);
    quoted.push('"');
    for character in value.chars() {
        match character {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '"' | '\\' | '$' | '`' => quoted.extend(['\\', character]),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// Reads a quoted value from the start of `text`: the value, and what follows its closing quote.
pub(super) fn unquote(text: &str) -> Option<(String, &str)> {
    match text.chars().next()? {
        '\'' => {
            let (value, rest) = text.strip_prefix('\'')?.split_once('\'')?;
            Some((value.to_owned(), rest))
        }
        '"' => unquote_double(text.strip_prefix('"')?),
        _ => None,
    }
}

fn unquote_double(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match character {
            '"' => return Some((value, rest.as_str())),
            '\\' => match rest.next()? {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                't' => value.push('\t'),
                escaped @ ('"' | '\\' | '$' | '`' | '\'') => value.push(escaped),
                // Not an escape: both characters are meant.
                other => value.extend(['\\', other]),
            },
            _ => value.push(character),
        }
    }
    None
}

fn is_bare(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_-./:@%+,=".contains(character)
}
