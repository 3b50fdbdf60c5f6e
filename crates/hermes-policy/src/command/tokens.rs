//! Code of any language, cut into words, strings and marks. Good enough to see which calls stand in it.

use super::ruleset::Language;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token<'a> {
    /// A name, with the dots and colons in it: `os.path.join`, `File::Path`, `$x`.
    Word(&'a str),
    /// A string, without its quotes.
    Text(String),
    /// A string in backquotes.
    Back(String),
    Number(&'a str),
    Mark(char),
}

impl Token<'_> {
    pub fn is(&self, mark: char) -> bool {
        matches!(self, Token::Mark(found) if *found == mark)
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Token::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// More tokens than anybody writes on a command line.
const MANY: usize = 20_000;

/// The code of a language.
pub(crate) fn scan<'a>(code: &'a str, language: &Language) -> Vec<Token<'a>> {
    let Language { lisp, bare, long_brackets, .. } = *language;
    cut(code, &language.comment, Style { lisp, bare, long_brackets })
}

/// Code of a language that is like C, such as awk.
pub(crate) fn scan_plain<'a>(code: &'a str, comment: &str) -> Vec<Token<'a>> {
    cut(code, comment, Style::default())
}

/// What is special about the words and strings of a language.
#[derive(Clone, Copy, Default)]
struct Style {
    lisp: bool,
    bare: bool,
    long_brackets: bool,
}

fn cut<'a>(code: &'a str, comment: &str, Style { lisp, bare, long_brackets }: Style) -> Vec<Token<'a>> {
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(letter) = rest.chars().next() {
        if tokens.len() >= MANY {
            break;
        }
        let after = rest.get(letter.len_utf8()..).unwrap_or("");
        if letter.is_whitespace() {
            if letter == '\n' {
                tokens.push(Token::Mark('\n'));
            }
            rest = after;
        } else if !comment.is_empty() && rest.starts_with(comment) {
            rest = rest.find('\n').and_then(|end| rest.get(end..)).unwrap_or("");
        } else if matches!(letter, '"' | '\'' | '`') && !(lisp && letter != '"') {
            let (text, behind) = string(rest, letter);
            tokens.push(if letter == '`' { Token::Back(text) } else { Token::Text(text) });
            rest = behind;
        } else if let Some((text, behind)) = long_brackets.then(|| bracketed(rest)).flatten() {
            tokens.push(Token::Text(text.to_owned()));
            rest = behind;
        } else if letter.is_ascii_digit() {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(rest.len());
            let (number, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            tokens.push(Token::Number(number));
            rest = behind;
        } else if is_word(letter) {
            let end = rest
                .find(|c: char| {
                    !(is_word(c)
                        || c.is_ascii_digit()
                        || c == '.'
                        || c == ':'
                        || (lisp && "-*/!?+".contains(c)))
                })
                .unwrap_or(rest.len());
            let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            if bare
                && matches!(word, "qw" | "w")
                && let Some((words, behind)) = word_list(word, &tokens, behind)
            {
                tokens.push(Token::Mark('['));
                tokens.extend(words.split_whitespace().map(|word| Token::Text(word.to_owned())));
                tokens.push(Token::Mark(']'));
                rest = behind;
                continue;
            }
            if bare
                && matches!(word, "q" | "qq")
                && let Some((text, behind)) = word_list(word, &tokens, behind)
            {
                tokens.push(Token::Text(text.to_owned()));
                rest = behind;
                continue;
            }
            let plain = word.trim_end_matches(['.', ':']);
            tokens.push(Token::Word(plain));
            tokens.extend(word.get(plain.len()..).unwrap_or("").chars().take(1).map(Token::Mark));
            rest = behind;
        } else if let Some(behind) = bare.then(|| behind_pattern(rest, &tokens)).flatten() {
            rest = behind;
        } else {
            tokens.push(Token::Mark(letter));
            rest = after;
        }
    }
    tokens
}

/// The inside of `[[…]]` or `[==[…]==]`, and what stands behind it.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('[')?;
    let signs = inner.len() - inner.trim_start_matches('=').len();
    let body = inner.get(signs..)?.strip_prefix('[')?;
    let close = format!("]{}]", "=".repeat(signs));
    Some(body.split_once(close.as_str()).unwrap_or((body, "")))
}

/// `qw(rm -rf x)` and `q{text}` of Perl, `%w[rm -rf x]` of Ruby: the inside of such quotes, and what stands behind.
fn word_list<'a>(word: &str, before: &[Token<'_>], behind: &'a str) -> Option<(&'a str, &'a str)> {
    if word == "w" && !before.last().is_some_and(|token| token.is('%')) {
        return None;
    }
    let open = behind.trim_start().chars().next().filter(|c| c.is_ascii_punctuation() && *c != ',')?;
    behind.trim_start().get(1..)?.split_once(closing(open))
}

/// What ends a quotation that `open` begins, where the writer may choose the mark.
pub(crate) fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '{' => '}',
        '[' => ']',
        '<' => '>',
        other => other,
    }
}

/// What stands behind `/pattern/` where only a pattern can stand. One that holds code is not skipped.
fn behind_pattern<'a>(text: &'a str, before: &[Token<'_>]) -> Option<&'a str> {
    let body = text.strip_prefix('/')?;
    let expected = match before.last() {
        None => true,
        Some(Token::Word(word)) => matches!(
            *word,
            "if" | "unless" | "and" | "or" | "not" | "grep" | "split" | "when" | "while" | "until"
        ),
        Some(Token::Mark(mark)) => matches!(mark, '(' | '{' | '~' | '!' | '&' | '|' | ',' | ';' | '\n' | '='),
        _ => false,
    };
    if !expected {
        return None;
    }
    let mut letters = body.char_indices();
    let end = loop {
        match letters.next()? {
            (_, '\\') => {
                letters.next();
            }
            (_, '\n') => return None,
            (end, '/') => break end,
            _ => {}
        }
    };
    let pattern = body.get(..end)?;
    let code = ["(?{", "(??{", "@{", "${", "#{"].iter().any(|sign| pattern.contains(sign));
    (!code).then(|| body.get(end + 1..)).flatten()
}

fn is_word(letter: char) -> bool {
    letter.is_alphabetic() || matches!(letter, '_' | '$' | '@')
}

/// The inside of a string that begins the text, triple quotes included, and what stands behind it.
fn string(text: &str, quote: char) -> (String, &str) {
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    if let Some(body) = text.strip_prefix(&triple) {
        return match body.split_once(triple.as_str()) {
            Some((inside, behind)) => (inside.to_owned(), behind),
            None => (body.to_owned(), ""),
        };
    }
    let mut inside = String::new();
    let mut letters = text.char_indices().skip(1);
    while let Some((place, letter)) = letters.next() {
        if letter == quote {
            return (inside, text.get(place + letter.len_utf8()..).unwrap_or(""));
        }
        if letter == '#'
            && let Some(filled) = filled_in(text.get(place..).unwrap_or(""))
        {
            inside.push_str(filled);
            letters.nth(filled.chars().count().saturating_sub(2));
            continue;
        }
        if letter != '\\' {
            inside.push(letter);
            continue;
        }
        match letters.next() {
            Some((_, 'n')) => inside.push('\n'),
            Some((_, 't')) => inside.push('\t'),
            Some((_, 'x')) => {
                let digits: String = letters.by_ref().take(2).map(|(_, c)| c).collect();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                inside.push(code.unwrap_or('?'));
            }
            Some((_, other)) => inside.push(other),
            None => {}
        }
    }
    (inside, "")
}

/// `#{ENV["HOME"]}` of Ruby: quotes inside do not end the string. Only names and their keys, so that nothing hides there.
fn filled_in(text: &str) -> Option<&str> {
    const LONGEST: usize = 48;
    let inner = text.strip_prefix("#{")?;
    let (end, _) = inner.char_indices().take(LONGEST).find(|(_, letter)| *letter == '}')?;
    let inner = text.get(2..2 + end)?;
    let plain = inner.chars().all(|c| c.is_ascii_alphanumeric() || "_.[]\"'".contains(c));
    (plain && inner.contains(['"', '\'']) && inner.contains('[')).then(|| text.get(..end + 3)).flatten()
}
