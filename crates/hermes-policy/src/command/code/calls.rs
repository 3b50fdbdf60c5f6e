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
    rises(trial, scene, (tokens, place, word));
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
    // `os.execute "text"` of Lua, `system "text"` of gnuplot: a lone string needs no parentheses.
    let calls: &Calls = &language.calls;
    let is = |names: &[String]| names.iter().any(|name| ends_with(word, name));
    let lone = language.long_brackets || is(&calls.run);
    let called = language.bare
        || tokens.get(behind).is_some_and(|token| token.is('(') || (lone && matches!(token, Token::Text(_))));
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
    let imported = seen.imports.iter().any(|word| language.run_if.get(word).is_some_and(|names| is(names)));
    // `platform.system()` starts nothing; `"text".execute()` of a language that is called bare may.
    let starts = !inside.empty || language.bare;
    if (is(&calls.run) || imported) && starts && !seen.cannot_run {
        seen.runs = true;
        seen.blind |= inside.texts.is_empty();
        seen.leaves |= leaves(word) || inside.texts.iter().any(|text| text.trim_end().ends_with('&'));
        seen.blind |= run(trial, scene, &inside, word);
    } else if is(&calls.delete_tree) || is(&calls.delete) {
        let deep = is(&calls.delete_tree) || inside.recursive;
        seen.loses |= inside.texts.is_empty();
        match receiver(tokens, place).filter(|_| inside.texts.is_empty()) {
            Some(path) => delete(trial, scene, &Arg::certain(path), deep),
            None => each_path(trial, scene, &inside, word, |trial, path| delete(trial, scene, path, deep)),
        }
    } else if is(&calls.write) || is(&calls.copy) {
        let path = match receiver(tokens, place).or(inside.named) {
            Some(path) => Some(path),
            // `cat("text")` of R only says it.
            None if word == "cat" => None,
            None if is(&calls.copy) => inside.texts.last().copied(),
            None => inside.texts.first().copied(),
        };
        if let Some(path) = path {
            write(trial, scene, &Arg::certain(path));
        }
        trial.changes();
    } else if is(&calls.open) {
        seen.blind |= open(trial, scene, &inside);
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
    seen.forks += u32::from(is(&calls.fork));
    seen.evals |= (is(&calls.eval) && !says_plainly(word, &inside, seen.text))
        || (word == "getattr" && reaches_out(tokens.get(place + 2)));
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

/// `os.setuid(0)`: from here on with the rights of root.
fn rises(trial: &mut Trial<'_>, scene: &Scene<'_>, (tokens, place, word): (&[Token<'_>], usize, &str)) {
    const RISES: &[&str] =
        &["setuid", "seteuid", "setreuid", "setresuid", "posix_setuid", "posix_seteuid", "change_privilege"];
    let root = matches!(tokens.get(place + 1..), Some([Token::Mark('('), Token::Number("0"), ..]));
    if root && RISES.contains(&word.rsplit(['.', ':']).next().unwrap_or(word)) {
        scene.ask(trial, "code-privileges", "priv_esc", "the code takes the rights of root");
    }
}

/// A call that starts a program and goes on at once.
fn leaves(word: &str) -> bool {
    matches!(
        word.rsplit(['.', ':']).next().unwrap_or(word),
        "Popen"
            | "popen"
            | "spawn"
            | "posix_spawn"
            | "posix_spawnp"
            | "exec"
            | "execFile"
            | "startProcess"
            | "Command"
    )
}

/// `eval("1 + 1")`: all of the code stands there, and it calls nothing.
fn says_plainly(word: &str, inside: &Inside<'_>, source: &str) -> bool {
    // Looked through anew for every call: no long code.
    let [text] = inside.texts.as_slice() else { return false };
    if source.len() > 1000 {
        return false;
    }
    let plain = !text.is_empty()
        && text.len() < 200
        && !text.contains("__")
        && !text.contains(['(', '`', '$', '@', '{', '#', '\\', ';', '|']);
    // A name that was given a string before may have been given another since.
    let stands = |open: &&str| source.contains(&format!("{word}{open}{text}"));
    let stands = ["(\"", "('", " \"", " '"].iter().any(stands);
    matches!(word, "eval" | "exec") && plain && stands && !inside.open && !inside.joined && !inside.decoded
}

/// `Path("file").write_text(…)`: the file that a method belongs to.
fn receiver<'t>(tokens: &'t [Token<'_>], place: usize) -> Option<&'t str> {
    // A path that was put together before.
    if let Some([Token::Text(path), Token::Mark('.')]) = tokens.get(place.checked_sub(2)?..place) {
        return Some(path);
    }
    match tokens.get(place.checked_sub(5)?..place)? {
        [Token::Word(maker), Token::Mark('('), Token::Text(path), Token::Mark(')'), Token::Mark('.')]
            if ["Path", "File", "Paths.get", "Pathname.new", "File.new"]
                .iter()
                .any(|name| ends_with(maker, name)) =>
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
