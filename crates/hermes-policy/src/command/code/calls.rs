//! One call in the code, by its name and what it is given.

use crate::command::access::write;
use crate::command::args::Arg;
use crate::command::deletion::delete;
use crate::command::literals;
use crate::command::ruleset::{Calls, Language};
use crate::command::scene::Scene;
use crate::command::sql;
use crate::command::tokens::Token;
use crate::command::trial::Trial;

use super::effects::{each_path, kill, open, run};
use super::inside::{Inside, inside};
use super::look::judge;
use super::seen::Seen;

pub(super) fn call(
    trial: &mut Trial<'_>,
    scene: &Scene<'_>,
    language: &Language,
    (tokens, place, word): (&[Token<'_>], usize, &str),
    seen: &mut Seen<'_>,
) {
    let qualified = imported_from(tokens, place).map(|module| format!("{module}.{word}"));
    let word = qualified.as_deref().unwrap_or(word);
    let always = is_query(word)
        || matches!(word, "getattr")
        || ["dup2", "spawn"].iter().any(|end| word.ends_with(end));
    if !always && !language.may_call(word) {
        return;
    }
    // `File.rm_rf!(…)` of Elixir and Ruby: the sign is a part of the name.
    let loud = tokens.get(place + 1).is_some_and(|token| token.is('!'))
        && tokens.get(place + 2).is_some_and(|token| token.is('('));
    let behind = if loud { place + 2 } else { place + 1 };
    // `os.execute "text"` of Lua: a lone string needs no parentheses.
    let called = tokens
        .get(behind)
        .is_some_and(|token| token.is('(') || (language.long_brackets && matches!(token, Token::Text(_))))
        || language.bare;
    let calls: &Calls = &language.calls;
    let is = |names: &[String]| names.iter().any(|name| ends_with(word, name));
    if !called {
        // `.then(eval)`, `map(os.system, …)`: handed over to be called.
        let handed = |token: Option<&Token<'_>>, marks: [char; 2]| {
            token.is_some_and(|token| marks.iter().any(|mark| token.is(*mark)))
        };
        let before = place.checked_sub(1).and_then(|before| tokens.get(before));
        if word.len() > 1 && handed(before, ['(', ',']) && handed(tokens.get(behind), [')', ',']) {
            let runs = is(&calls.run) && !seen.cannot_run;
            seen.evals |= is(&calls.eval) || runs;
            seen.blind |= runs;
        }
        return;
    }
    let inside = inside(tokens, behind);
    let imported = language.run_if.iter().any(|(word, names)| seen.text.contains(word.as_str()) && is(names));
    // `platform.system()` starts nothing; `"text".execute()` of a language that is called bare may.
    let starts = !inside.empty || language.bare;
    if (is(&calls.run) || imported) && starts && !seen.cannot_run {
        seen.runs = true;
        seen.blind |= inside.texts.is_empty();
        run(trial, scene, &inside, word);
    } else if is(&calls.delete_tree) || is(&calls.delete) {
        let deep = is(&calls.delete_tree) || inside.recursive;
        match receiver(tokens, place).filter(|_| inside.texts.is_empty()) {
            Some(path) => delete(trial, scene, &Arg::certain(path), deep),
            None => each_path(trial, scene, &inside, word, |trial, path| delete(trial, scene, path, deep)),
        }
    } else if is(&calls.write) || is(&calls.copy) {
        let path = match receiver(tokens, place) {
            Some(path) => Some(path),
            None if is(&calls.copy) => inside.texts.last().copied(),
            None => inside.texts.first().copied(),
        };
        if let Some(path) = path {
            write(trial, scene, &Arg::certain(path));
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
    if is(&calls.secret) {
        scene.ask(trial, "code-secret", "credential_access", format!("`{word}` in the code shows a secret"));
    }
    if is_query(word)
        && let Some(text) = inside.texts.first()
    {
        sql::statement(trial, scene, &Arg::certain(*text));
    }
    if is(&calls.by_name) {
        by_name(trial, scene, language, &inside);
    }
    if is(&calls.eval) && trial.enter_code() {
        // Code in a string is code.
        for text in inside.texts.iter().take(4) {
            judge(trial, scene, language, text);
        }
        trial.leave();
    }
    if ends_with(word, "pty.spawn") {
        scene.ask(trial, "code-shell", "reverse_shell", "the code opens a terminal for another program");
    }
    seen.forks |= is(&calls.fork);
    seen.evals |= is(&calls.eval) || (word == "getattr" && reaches_out(tokens.get(place + 2)));
    seen.fetches |= is(&calls.fetch);
    seen.connects |= is(&calls.connect);
    seen.sends |= is(&calls.send);
    seen.reads |= is(&calls.read);
    seen.duplicates |= ends_with(word, "dup2") || ends_with(word, "pty.spawn");
}

/// `array_map("unlink", …)`, `call_user_func("system", …)`: what it is called with, only running would tell.
fn by_name(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language, inside: &Inside<'_>) {
    let calls = &language.calls;
    let grave = calls.run.iter().chain(&calls.delete).chain(&calls.delete_tree).chain(&calls.eval);
    let named = |text: &&str| grave.clone().any(|name| name.trim_start_matches('=') == *text);
    if let Some(name) = inside.texts.iter().copied().find(named) {
        let reason = format!("the code calls `{name}` by its name");
        scene.ask(trial, "code-by-name", "obfuscated_exec", reason);
        for text in inside.texts.iter().filter(|text| **text != name) {
            literals::judge_string(trial, scene, text);
        }
    }
}

/// `os.system` is the end of `x.os.system`; `system` is not the end of `filesystem`.
fn ends_with(word: &str, name: &str) -> bool {
    if let Some(whole) = name.strip_prefix('=') {
        return word == whole;
    }
    word.strip_suffix(name)
        .is_some_and(|front| front.is_empty() || front.ends_with('.') || front.ends_with(':'))
}

/// `require('os').execute`, `__import__('os').system`: the module that a call is taken from.
fn imported_from<'t>(tokens: &'t [Token<'_>], place: usize) -> Option<&'t str> {
    let before = tokens.get(..place)?;
    let (dot, before) = before.split_last()?;
    let before = before.strip_suffix(&[Token::Mark(')')]).unwrap_or(before);
    let (name, before) = before.split_last()?;
    let before = before.strip_suffix(&[Token::Mark('(')]).unwrap_or(before);
    let imports = matches!(before.last(), Some(Token::Word("require" | "__import__" | "import_module")));
    name.text().filter(|_| imports && (dot.is('.') || dot.is(':')))
}

/// `Path("file").write_text(…)`: the file that a method belongs to.
fn receiver<'t>(tokens: &'t [Token<'_>], place: usize) -> Option<&'t str> {
    match tokens.get(place.checked_sub(5)?..place)? {
        [Token::Word(maker), Token::Mark('('), Token::Text(path), Token::Mark(')'), Token::Mark('.')]
            if ["Path", "File", "Paths.get", "Pathname.new", "File.new"]
                .iter()
                .any(|name| maker.ends_with(name)) =>
        {
            Some(path)
        }
        _ => None,
    }
}

/// Methods that hand a statement to a database, whatever the library.
fn is_query(word: &str) -> bool {
    let method = word.rsplit('.').next().unwrap_or(word);
    matches!(
        method,
        "execute" | "executescript" | "executemany" | "query" | "execute_sql" | "exec_query" | "raw"
    )
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
