//! Code of an interpreter, looked through for calls that reach out of it.

use super::access::{read, write};
use super::args::Arg;
use super::call::judge_words;
use super::deletion::delete;
use super::ruleset::{Calls, Language};
use super::scene::Scene;
use super::shells::run_text;
use super::tokens::{self, Token};
use super::trial::Trial;

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language, text: &str) {
    let tokens = tokens::scan(text, &language.comment, language.lisp);
    let can_run = language.needs.is_empty() || language.needs.iter().any(|word| text.contains(word.as_str()));
    let mut seen = Seen { text, cannot_run: !can_run, ..Seen::default() };
    if language.forbidden.as_ref().is_some_and(|pattern| pattern.is_match(text)) {
        scene.deny(trial, "code-power", "system_halt", "the code stops, restarts or suspends the machine");
    }
    for (place, token) in tokens.iter().enumerate() {
        match token {
            Token::Word(word) => call(trial, scene, language, (&tokens, place, word), &mut seen),
            Token::Back(inner) if language.backquotes => {
                seen.runs = true;
                run_text(trial, scene, &Arg::certain(inner.as_str()), &[], scene.frame.clone());
            }
            Token::Text(inner) => {
                mentions(trial, scene, inner, &mut seen);
                // "text".execute() of Groovy, "text".! of Scala.
                let behind = tokens.get(place + 1..).unwrap_or_default();
                if matches!(behind, [Token::Mark('.'), Token::Word("execute") | Token::Mark('!'), ..]) {
                    seen.runs = true;
                    run_text(trial, scene, &Arg::certain(inner.as_str()), &[], scene.frame.clone());
                }
            }
            _ => {}
        }
    }
    if language.backquotes {
        quoted_commands(trial, scene, text);
    }
    if language.raw {
        raw_lines(trial, scene, language, text);
    }
    together(trial, scene, &tokens, &seen);
    unbalanced(trial, scene, language, text, &seen);
}

/// `qx{…}` of Perl, `%x(…)` of Ruby.
fn quoted_commands(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &str) {
    for mark in ["qx", "%x"] {
        for (place, _) in text.match_indices(mark).take(16) {
            let rest = text.get(place + mark.len()..).unwrap_or("").trim_start();
            let Some(open) = rest.chars().next().filter(|c| !c.is_alphanumeric() && *c != ',' && *c != ';')
            else {
                continue;
            };
            let close = match open {
                '(' => ')',
                '{' => '}',
                '[' => ']',
                '<' => '>',
                other => other,
            };
            let inner = rest.get(open.len_utf8()..).unwrap_or("");
            let inner = inner.split(close).next().unwrap_or(inner);
            run_text(trial, scene, &Arg::certain(inner), &[], scene.frame.clone());
        }
    }
}

/// Tcl: `exec rm -rf x` without any quotes.
fn raw_lines(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language, text: &str) {
    for line in text.split(['\n', ';', '[', '{']) {
        let line = line.trim().trim_end_matches([']', '}']);
        if let Some((call, rest)) = line.split_once(' ')
            && language.calls.run.iter().any(|name| name == call)
        {
            run_text(trial, scene, &Arg::certain(rest.trim()), &[], scene.frame.clone());
        }
    }
}

/// What stood in the code, for what only matters together.
#[derive(Default)]
struct Seen<'a> {
    text: &'a str,
    /// Nothing in the code gives the words for starting programs their meaning.
    cannot_run: bool,
    runs: bool,
    forks: bool,
    evals: bool,
    fetches: bool,
    connects: bool,
    sends: bool,
    reads: bool,
    secret: bool,
    duplicates: bool,
}

/// What stands inside the parentheses of a call, or on its line if the language needs none.
struct Inside<'t> {
    texts: Vec<&'t str>,
    /// A list, or several strings: words of one command rather than a text.
    words: bool,
    /// Something in front of the first string that only running would tell.
    open: bool,
}

fn call(
    trial: &mut Trial<'_>,
    scene: &Scene<'_>,
    language: &Language,
    (tokens, place, word): (&[Token<'_>], usize, &str),
    seen: &mut Seen<'_>,
) {
    let next = tokens.get(place + 1);
    let called = next.is_some_and(|token| token.is('(')) || language.bare;
    if !called {
        return;
    }
    let calls: &Calls = &language.calls;
    let is = |names: &[String]| names.iter().any(|name| ends_with(word, name));
    let inside = inside(tokens, place + 1);
    let imported = language.run_if.iter().any(|(word, names)| seen.text.contains(word.as_str()) && is(names));
    if (is(&calls.run) || imported) && !seen.cannot_run {
        seen.runs = true;
        run(trial, scene, &inside, word);
    } else if is(&calls.delete_tree) || is(&calls.delete) {
        let deep = is(&calls.delete_tree);
        each_path(trial, scene, &inside, word, |trial, path| delete(trial, scene, path, deep));
    } else if is(&calls.write) || is(&calls.copy) {
        let copies = is(&calls.copy);
        let path = if copies { inside.texts.last() } else { inside.texts.first() };
        if let Some(path) = path {
            write(trial, scene, &Arg::certain(*path));
        }
        trial.changes();
    } else if is(&calls.open) {
        open(trial, scene, &inside);
        seen.reads = true;
    } else if is(&calls.mode) {
        each_path(trial, scene, &inside, word, |trial, path| write(trial, scene, path));
    } else if is(&calls.kill) {
        kill(trial, scene, tokens, place);
    }
    seen.forks |= is(&calls.fork);
    seen.evals |= is(&calls.eval) || (word == "getattr" && reaches_out(tokens.get(place + 2)));
    seen.fetches |= is(&calls.fetch);
    seen.connects |= is(&calls.connect);
    seen.sends |= is(&calls.send);
    seen.reads |= is(&calls.read);
    seen.duplicates |= ends_with(word, "dup2") || ends_with(word, "pty.spawn");
}

/// `os.system` is the end of `x.os.system`; `system` is not the end of `filesystem`.
fn ends_with(word: &str, name: &str) -> bool {
    if let Some(whole) = name.strip_prefix('=') {
        return word == whole;
    }
    word.strip_suffix(name)
        .is_some_and(|front| front.is_empty() || front.ends_with('.') || front.ends_with(':'))
}

/// `getattr(os, …)`: a call under another name.
fn reaches_out(token: Option<&Token<'_>>) -> bool {
    matches!(
        token,
        Some(Token::Word(
            "os" | "subprocess" | "shutil" | "builtins" | "__builtins__" | "sys.modules" | "pty" | "ctypes"
        ))
    )
}

fn inside<'t>(tokens: &'t [Token<'_>], start: usize) -> Inside<'t> {
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

fn run(trial: &mut Trial<'_>, scene: &Scene<'_>, inside: &Inside<'_>, word: &str) {
    trial.changes();
    match (inside.texts.as_slice(), inside.words) {
        ([], _) => scene.ask(
            trial,
            "code-run",
            "unknown",
            format!("`{word}` in the code starts a program that only running would tell"),
        ),
        ([text], false) => run_text(trial, scene, &Arg::certain(*text), &[], scene.frame.clone()),
        (texts, _) => {
            let words: Vec<Arg> = texts.iter().map(|text| Arg::certain(*text)).collect();
            // `system("rm -rf x", …)` is a text even if more strings follow.
            match words.split_first() {
                Some((first, _)) if first.text.contains(' ') => {
                    run_text(trial, scene, first, &[], scene.frame.clone())
                }
                _ => judge_words(trial, scene, &words),
            }
        }
    }
}

fn each_path(
    trial: &mut Trial<'_>,
    scene: &Scene<'_>,
    inside: &Inside<'_>,
    word: &str,
    mut act: impl FnMut(&mut Trial<'_>, &Arg),
) {
    if inside.texts.is_empty() {
        return scene.ask(
            trial,
            "code-delete",
            "destructive_delete",
            format!("`{word}` in the code changes files that only running would tell"),
        );
    }
    for text in &inside.texts {
        let pattern = text.contains(['*', '?']);
        act(trial, &Arg { text: (*text).to_owned(), pattern, hints: Vec::new() });
    }
}

/// `open(path, 'w')`, `open(F, ">path")`.
fn open(trial: &mut Trial<'_>, scene: &Scene<'_>, inside: &Inside<'_>) {
    let mode = inside
        .texts
        .iter()
        .skip(1)
        .find(|text| text.len() <= 4 && text.chars().all(|c| "rwaxbt+<>|U".contains(c)));
    let Some(first) = inside.texts.first() else { return };
    let arrow = first.starts_with(['>', '+']);
    let piped = first.starts_with('|') || (first.ends_with('|') && first.len() > 1);
    let writes = arrow || mode.is_some_and(|mode| mode.contains(['w', 'a', 'x', '+', '>']));
    if piped {
        run_text(trial, scene, &Arg::certain(first.trim_matches('|')), &[], scene.frame.clone());
    } else if writes {
        let shown = first.trim_start_matches(['>', '+', '<', ' ']);
        let path = if shown.is_empty() { inside.texts.get(1).copied().unwrap_or("") } else { shown };
        write(trial, scene, &Arg::certain(path));
    } else {
        read(trial, scene, &Arg::certain(first.trim_start_matches(['<', ' '])));
    }
}

fn kill(trial: &mut Trial<'_>, scene: &Scene<'_>, tokens: &[Token<'_>], place: usize) {
    let all = tokens
        .get(place + 1..)
        .unwrap_or_default()
        .windows(2)
        .take(8)
        .any(|two| matches!(two, [Token::Mark('-'), Token::Number("1")]));
    if all {
        return scene.deny(trial, "kill-all", "process_kill", "the code ends every process it can reach");
    }
    scene.ask(trial, "code-kill", "process_kill", "the code ends processes");
}

/// A string that names a secret.
fn mentions(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &str, seen: &mut Seen<'_>) {
    if text.len() > 200 || text.contains([' ', '\n']) || !text.contains(['/', '.']) {
        return;
    }
    let arg = Arg::certain(text);
    let place = scene.locate(trial, &arg);
    use super::sensitive::Sensitive::{Credential, History, ProcessSecrets};
    let found = super::sensitive::sensitive_arg(&arg, &place, trial, super::sensitive::Use::Read);
    if matches!(found, Some(Credential | ProcessSecrets | History)) {
        seen.secret = true;
        scene.ask(
            trial,
            "code-secret",
            "credential_access",
            format!("the code names {text}, which holds secrets"),
        );
    }
}

fn together(trial: &mut Trial<'_>, scene: &Scene<'_>, tokens: &[Token<'_>], seen: &Seen<'_>) {
    let loops = tokens.iter().any(|token| {
        matches!(token, Token::Word("while" | "loop" | "until" | "forever" | "for" | "times" | "cycle"))
    });
    if seen.forks && loops {
        return scene.deny(
            trial,
            "fork-bomb",
            "resource_exhaustion",
            "the code starts copies of itself in a loop",
        );
    }
    if seen.evals {
        let (rule, category) = if seen.fetches || seen.connects {
            ("run-download", "remote_exec")
        } else {
            ("code-eval", "obfuscated_exec")
        };
        scene.ask(trial, rule, category, "the code runs other code that only running would tell");
    }
    if seen.connects && (seen.duplicates || seen.runs) {
        scene.ask(trial, "code-shell", "reverse_shell", "the code connects a program to another machine");
    }
    if seen.sends && (seen.reads || seen.secret) {
        scene.ask(trial, "code-send", "exfiltration", "the code sends local data to another machine");
    }
}

/// A quote inside a pattern can hide what follows from the scan: then the bare names must do.
fn unbalanced(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language, text: &str, seen: &Seen<'_>) {
    let odd = |quote: char| text.chars().filter(|c| *c == quote).count() % 2 == 1;
    if seen.runs || !(odd('"') || odd('\'')) {
        return;
    }
    let calls = &language.calls;
    let named = calls.run.iter().chain(&calls.delete_tree).any(|name| text.contains(&format!("{name}(")));
    if named {
        scene.ask(trial, "code-run", "unknown", "the code seems to start programs or delete files");
    }
}
