//! Commands so simple that their words are certain: no shell feature but quotes.
//!
//! This is not the shell reader of `hermes-policy`, and must not become one. It says yes to little, so
//! that a prefix grant can never be stretched: every sign it does not know is a no.

use std::iter::Peekable;
use std::str::Chars;

use crate::text::visible;

/// Why the words of a command are not certain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSimple {
    #[error("it is empty")]
    Empty,
    #[error("it has characters that a terminal would obey or hide")]
    Hidden,
    #[error("it has the unquoted sign '{0}', which a shell may read as more than text")]
    Sign(char),
    #[error("it has '{0}' in double quotes, where a shell still reads it")]
    Expands(char),
    #[error("it has an open quote")]
    OpenQuote,
    #[error("it begins with '{0}', which is not a program")]
    NoProgram(String),
}

/// Words that begin something else than a simple command.
const RESERVED: &[&str] = &[
    "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select",
    "then", "time", "until", "while",
];

/// The words of a simple command: a program and its arguments, nothing assigned, piped, redirected,
/// substituted, expanded or matched against file names.
pub fn simple_words(text: &str) -> Result<Vec<String>, NotSimple> {
    if text.contains('\n') || visible(text) != text {
        return Err(NotSimple::Hidden);
    }
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => single(&mut rest, word.get_or_insert_default())?,
            '"' => double(&mut rest, word.get_or_insert_default())?,
            letter if plain(letter) => word.get_or_insert_default().push(letter),
            sign => return Err(NotSimple::Sign(sign)),
        }
    }
    words.extend(word);
    let program = words.first().ok_or(NotSimple::Empty)?;
    // Looked at after quotes are gone: too strict for a program called 'if', and nobody has one.
    if program.is_empty() || program.contains(['=', '%']) || RESERVED.contains(&program.as_str()) {
        return Err(NotSimple::NoProgram(program.clone()));
    }
    Ok(words)
}

/// The words as text that [`simple_words`] reads back as the same words.
pub fn quoted(words: &[String]) -> String {
    let shown: Vec<String> = words.iter().map(|word| quote(word)).collect();
    shown.join(" ")
}

fn quote(word: &str) -> String {
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r#"'"'"'"#))
}

/// Signs that mean themselves wherever they stand. Letters of other scripts must be quoted: shells differ
/// on which of them separate words.
fn plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-./:=,@%+".contains(letter)
}

fn single(rest: &mut Peekable<Chars<'_>>, word: &mut String) -> Result<(), NotSimple> {
    loop {
        match rest.next().ok_or(NotSimple::OpenQuote)? {
            '\'' => return Ok(()),
            letter => word.push(letter),
        }
    }
}

fn double(rest: &mut Peekable<Chars<'_>>, word: &mut String) -> Result<(), NotSimple> {
    loop {
        match rest.next().ok_or(NotSimple::OpenQuote)? {
            '"' => return Ok(()),
            sign @ ('$' | '`' | '\\' | '!') => return Err(NotSimple::Expands(sign)),
            letter => word.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_certain_or_refused() {
        for (text, words) in [
            ("git status", vec!["git", "status"]),
            ("  git\t log  --format=%H ", vec!["git", "log", "--format=%H"]),
            (r#"grep "a b" 'c;d$e' f''g"#, vec!["grep", "a b", "c;d$e", "fg"]),
            ("./run.sh ''", vec!["./run.sh", ""]),
        ] {
            assert_eq!(simple_words(text).unwrap(), words, "{text}");
        }
        for text in [
            "",
            " ",
            "a; b",
            "a && b",
            "a & b",
            "a | b",
            "a > b",
            "a < b",
            "a $(b)",
            "a `b`",
            "a $B",
            "a \"$B\"",
            "a \"`b`\"",
            "a\nb",
            "a\rb",
            "a 'b",
            "a \"b",
            "a \\b",
            "a *",
            "a ?",
            "a [b]",
            "a {b,c}",
            "a ~",
            "a #b",
            "!a",
            "A=b c",
            "'A=b' c",
            "if a",
            "time a",
            "a \u{202e}b",
            "a\u{200b}",
            "a\u{a0}b",
            "(a)",
            "a é",
            "%1",
            "'' a",
            "a ^b",
        ] {
            assert!(simple_words(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn quoting_reads_back() {
        let words: Vec<String> = ["a", "", "b c", "d'e", "$f", "é", "\"g\""].map(str::to_owned).to_vec();
        assert_eq!(simple_words(&quoted(&words)).unwrap(), words);
    }
}
