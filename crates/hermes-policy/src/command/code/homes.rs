//! Paths that the code puts together: the home folder in each language's words, `Path.home() / ".x"`,
//! `os.path.join(…)`. What comes out are the same tokens, with `~` and whole paths as strings.

use crate::command::tokens::Token;

/// More parts than any path that is joined by a call.
const PARTS: usize = 32;
/// Longer strings are no paths.
const LONGEST: usize = 4096;

pub(super) fn spelled<'a>(tokens: Vec<Token<'a>>) -> Vec<Token<'a>> {
    let mut out: Vec<Token<'a>> = Vec::with_capacity(tokens.len());
    for token in tokens {
        out.push(token);
        // Every fold leaves fewer tokens.
        while let Some((taken, text)) = fold(&out) {
            out.truncate(out.len() - taken);
            out.push(Token::Text(text));
        }
    }
    out
}

/// What the last tokens mean as a path, and how many of them that takes.
fn fold(out: &[Token<'_>]) -> Option<(usize, String)> {
    use Token::{Mark, Text, Word};
    let home = || "~".to_owned();
    match out {
        [.., Word("require" | "import"), Mark('('), Text(_), Mark(')'), Mark('.'), Word("homedir")] => {
            Some((6, home()))
        }
        [.., Word(word)] if is_home(word) => Some((1, home())),
        [.., Text(text), Mark('('), Mark(')')] if text == "~" => Some((3, home())),
        [.., Word(holder), Mark('['), Text(name), Mark(']')]
            if is_home_name(name)
                && ends(holder, &["environ", "ENV", "process.env", "$_ENV", "$_SERVER"]) =>
        {
            Some((4, home()))
        }
        [.., Word(getter), Mark('('), Text(name), Mark(')')] if is_home_name(name) && is_getter(getter) => {
            Some((4, home()))
        }
        [.., Word(getter), Mark('('), Text(name), Mark(','), Text(_), Mark(')')]
            if is_home_name(name) && is_getter(getter) =>
        {
            Some((6, home()))
        }
        [.., Word("$ENV"), Mark('{'), Word("HOME"), Mark('}')] => Some((4, home())),
        [.., Word("$ENV"), Mark('{'), Text(name), Mark('}')] if is_home_name(name) => Some((4, home())),
        [.., Text(path), Mark('.'), Word(method), Mark('('), Mark(')')] if is_same_path(method) => {
            Some((5, path.clone()))
        }
        [.., Text(front), Mark('/'), Text(name)] if front.len() + name.len() <= LONGEST => {
            Some((3, below(front, name)))
        }
        [.., Text(form), Mark('%'), Text(value)]
            if form.matches("%s").count() == 1 && value.len() <= LONGEST =>
        {
            Some((3, form.replacen("%s", value, 1)))
        }
        [.., Mark(')')] => called(out),
        _ => None,
    }
}

/// `os.path.join("a", "b")`, `Path("a", "b")`, `x.joinpath("b")`, `("~/a")`.
fn called(out: &[Token<'_>]) -> Option<(usize, String)> {
    let mut parts: Vec<&str> = Vec::new();
    let (_, inside) = out.split_last()?;
    let mut rest = inside;
    loop {
        match rest {
            [front @ .., Token::Text(part)] if parts.len() < PARTS => {
                parts.push(part);
                match front {
                    [front @ .., Token::Mark(',')] => rest = front,
                    [front @ .., Token::Mark('(')] => {
                        rest = front;
                        break;
                    }
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    parts.reverse();
    let joined = || parts.iter().fold(String::new(), |path, part| below(&path, part));
    let taken = out.len() - rest.len();
    match rest {
        [.., Token::Text(path), Token::Mark('.'), Token::Word("joinpath")] => {
            Some((taken + 3, below(path, &joined())))
        }
        [.., Token::Text(form), Token::Mark('.'), Token::Word("format")]
            if parts.len() == 1 && form.matches("{}").count() == 1 =>
        {
            Some((taken + 3, form.replacen("{}", &parts.concat(), 1)))
        }
        [.., Token::Word(word)] if is_path_maker(word) => Some((taken + 1, joined())),
        // Only where a call cannot stand in front: `File.rm_rf!("/")` of Elixir is none of these.
        [] | [.., Token::Mark('=' | ';' | '\n' | '(' | '[' | ',' | ':' | '{')]
            if parts.len() == 1 && joined().starts_with(['~', '/', '.']) =>
        {
            Some((taken, joined()))
        }
        _ => None,
    }
}

/// `name` in the folder `front`, as paths are joined: an absolute one stands for itself.
fn below(front: &str, name: &str) -> String {
    if front.is_empty() || name.starts_with('/') {
        return name.to_owned();
    }
    format!("{}/{name}", front.trim_end_matches('/'))
}

/// What stands for the home folder in one language or another.
fn is_home(word: &str) -> bool {
    ends(
        word,
        &[
            "Dir.home",
            "os.homedir",
            "Path.home",
            "process.env.HOME",
            "os.environ.HOME",
            "ENV.HOME",
            "os.UserHomeDir",
        ],
    )
}

/// The same inside a string that is filled in: `#{Dir.home}`, `${process.env.HOME}`, `{os.environ['HOME']}`.
pub(super) fn is_home_inside(text: &str) -> bool {
    let text = text.trim().trim_end_matches("()");
    is_home(text)
        || text.ends_with(".homedir")
        || (text.contains("HOME") && ["env", "ENV"].iter().any(|word| text.contains(word)) && text.len() < 64)
        || text.ends_with("expanduser('~')")
        || text.ends_with("expanduser(\"~\")")
}

fn is_home_name(name: &str) -> bool {
    matches!(name, "HOME" | "USERPROFILE")
}

fn is_getter(word: &str) -> bool {
    ends(word, &["getenv", "environ.get", "ENV.fetch", "env.get"])
}

/// Calls that make a path of their strings, or of one path another spelling of it.
fn is_path_maker(word: &str) -> bool {
    ends(
        word,
        &[
            "Path",
            "PurePath",
            "PosixPath",
            "path.join",
            "path.resolve",
            "File.join",
            "filepath.Join",
            "file.path",
            "expanduser",
            "expandvars",
            "expand_path",
            "path.expand",
            "realpath",
            "abspath",
            "normpath",
            "normalizePath",
            "Pathname.new",
            "Pathname",
            "fspath",
            "str",
        ],
    )
}

/// Methods that leave a path what it is.
fn is_same_path(method: &str) -> bool {
    matches!(method, "expanduser" | "resolve" | "absolute" | "as_posix" | "expand_path" | "toString" | "to_s")
}

fn ends(word: &str, names: &[&str]) -> bool {
    names.iter().any(|name| {
        word.strip_suffix(name).is_some_and(|front| front.is_empty() || front.ends_with(['.', ':']))
    })
}
