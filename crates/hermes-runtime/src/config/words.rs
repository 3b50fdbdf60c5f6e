//! Splits a command line into words the way a shell would, without a shell.

use std::iter::Peekable;
use std::str::Chars;

/// The words of `line`. An unquoted sign that only a shell understands is refused: it would reach the program as text.
pub(super) fn split_words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            ' ' | '\t' | '\n' | '\r' => words.extend(word.take()),
            '\'' => single(&mut rest, word.get_or_insert_default())?,
            '"' => double(&mut rest, word.get_or_insert_default())?,
            '\\' => {
                let escaped = rest.next().ok_or("ends with a backslash")?;
                word.get_or_insert_default().push(escaped);
            }
            '|' | '&' | ';' | '<' | '>' | '`' | '$' => {
                return Err(format!("has an unquoted {letter}, but no shell runs hooks"));
            }
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    match words.first() {
        None => Err("is empty".to_owned()),
        Some(program) if program.is_empty() => Err("names no program".to_owned()),
        Some(_) => Ok(words),
    }
}

fn single(rest: &mut Peekable<Chars<'_>>, word: &mut String) -> Result<(), String> {
    loop {
        match rest.next().ok_or("has an open single quote")? {
            '\'' => return Ok(()),
            other => word.push(other),
        }
    }
}

fn double(rest: &mut Peekable<Chars<'_>>, word: &mut String) -> Result<(), String> {
    loop {
        match rest.next().ok_or("has an open double quote")? {
            '"' => return Ok(()),
            // Inside double quotes a shell would still expand these.
            sign @ ('$' | '`') => {
                return Err(format!("has {sign} in double quotes, but no shell runs hooks"));
            }
            '\\' => match rest.next_if(|next| matches!(next, '"' | '\\' | '$' | '`')) {
                Some(escaped) => word.push(escaped),
                None => word.push('\\'),
            },
            other => word.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_like_a_shell_would() {
        for (line, words) in [
            ("a b  c", vec!["a", "b", "c"]),
            (r#"a "b c" 'd "e' f\ g"#, vec!["a", "b c", "d \"e", "f g"]),
            (r#"a "" '$HOME'"#, vec!["a", "", "$HOME"]),
            (r#"a"b"c "x\"y\z""#, vec!["abc", r#"x"y\z"#]),
        ] {
            assert_eq!(split_words(line).unwrap(), words);
        }
        for line in ["", "  ", "\"\" a", "a | b", "a > b", "a $HOME", "a \"$HOME\"", "a 'b", "a \"b", "a \\"]
        {
            assert!(split_words(line).is_err(), "{line}");
        }
    }
}
