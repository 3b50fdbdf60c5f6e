//! Code of an interpreter, looked through for calls that reach out of it.

use crate::command::args::Arg;
use crate::command::deletion::delete;
use crate::command::literals;
use crate::command::model::Class;
use crate::command::ruleset::Language;
use crate::command::scene::Scene;
use crate::command::shells::run_text;
use crate::command::tokens::{self, Token};
use crate::command::trial::Trial;
use crate::command::urls::names_metadata;

use super::calls::call;
use super::effects::mentions;
use super::homes;
use super::lists;
use super::names;
use super::seen::{Seen, together};
use super::strings;

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language, text: &str) {
    let tokens = strings::put_together(homes::spelled(tokens::scan(text, language)), language);
    let tokens = homes::spelled(tokens);
    let pieces = names::in_pieces(&tokens);
    let tokens = names::resolved(&tokens, &pieces, language);
    let says = |word: &String| {
        text.contains(word.as_str())
            || tokens.iter().filter_map(Token::text).any(|inner| inner.contains(word.as_str()))
    };
    let can_run = language.needs.is_empty() || language.needs.iter().any(says);
    let imports = language.run_if.keys().filter(|word| text.contains(word.as_str())).cloned().collect();
    let mut seen = Seen { text, imports, cannot_run: !can_run, ..Seen::default() };
    if language.forbidden.as_ref().is_some_and(|pattern| pattern.is_match(text)) {
        scene.deny(trial, "code-power", "system_halt", "the code stops, restarts or suspends the machine");
    }
    let mut scene = scene.within(scene.frame.clone());
    for (place, token) in tokens.iter().enumerate() {
        let scene = &mut scene;
        match token {
            Token::Word(word) => {
                if let Some(folder) = entered(&tokens, place, word) {
                    scene.frame.cwd = scene.locate(trial, &Arg::certain(folder)).path;
                }
                let next = tokens.get(place + 1);
                let one = next.is_some_and(|token| token.is('[') || token.is('.'));
                seen.environment |=
                    matches!(*word, "process.env" | "os.environ" | "Deno.env.toObject" | "ENV.to_h") && !one;
                call(trial, scene, language, (&tokens, place, word), &mut seen);
            }
            Token::Back(inner) if language.backquotes => {
                seen.runs = true;
                run_text(trial, scene, &Arg::certain(inner.as_str()), &[], scene.frame.clone());
            }
            Token::Text(inner) => {
                seen.metadata |= names_metadata(inner);
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
    let scene = &scene;
    if seen.loses {
        lost_by_list(trial, scene, &tokens);
    }
    if text.contains("with administrator privileges") {
        scene.ask(trial, "code-privileges", "priv_esc", "the code asks for the rights of an administrator");
    }
    if text.contains("make login item") || text.contains("make new login item") {
        scene.ask(
            trial,
            "code-login-item",
            "persistence",
            "the code plants something that runs at every login",
        );
    }
    if language.backquotes {
        quoted_commands(trial, scene, text);
    }
    if language.raw {
        raw_lines(trial, scene, language, text);
    }
    if seen.evals && trial.enter_code() {
        packed(trial, scene, language, text);
        trial.leave();
    }
    if seen.blind {
        literals::judge_code(trial, scene, text);
        literals::judge_tokens(trial, scene, &tokens);
    }
    together(trial, scene, &tokens, &seen);
    unbalanced(trial, scene, language, text, &seen);
}

/// `os.chdir("/")`, `chdir "/"`, `Dir.chdir("/")`: what follows happens there.
fn entered<'t>(tokens: &'t [Token<'_>], place: usize, word: &str) -> Option<&'t str> {
    if !matches!(word.rsplit(['.', ':']).next(), Some("chdir" | "setwd" | "change_dir")) {
        return None;
    }
    match tokens.get(place + 1..)? {
        [Token::Mark('('), Token::Text(folder), ..] | [Token::Text(folder), ..] => Some(folder),
        _ => None,
    }
}

/// Deletes what it goes through: what must never be lost is refused, the rest has been asked about.
fn lost_by_list(trial: &mut Trial<'_>, scene: &Scene<'_>, tokens: &[Token<'_>]) {
    for path in lists::gone_through(tokens) {
        let mark = trial.mark();
        delete(trial, scene, &Arg::certain(path), true);
        if trial.since(mark) < Class::Deny {
            trial.forget(mark);
        }
    }
}

/// Code that runs code: what stands in it in a code of letters, and must never happen, is found all the same.
fn packed(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language, text: &str) {
    for inner in literals::unpacked(text) {
        let mark = trial.mark();
        judge(trial, scene, language, &inner);
        if trial.since(mark) < Class::Deny {
            trial.forget(mark);
        }
    }
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
            let close = tokens::closing(open);
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
        if let Some(files) = line.strip_prefix("file delete ") {
            let files = files.trim().trim_start_matches("-force").trim_start_matches(" --");
            let text = Arg::certain(format!("rm -rf {files}"));
            run_text(trial, scene, &text, &[], scene.frame.clone());
        }
        if let Some((call, rest)) = line.split_once(' ')
            && language.calls.run.iter().any(|name| name == call)
        {
            run_text(trial, scene, &Arg::certain(rest.trim()), &[], scene.frame.clone());
        }
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
