//! `awk`: programs that run commands, or write and read files.

use std::collections::HashMap;

use super::access::{read, write};
use super::args::{Arg, base_name};
use super::model::Class;
use super::options::{Shape, parse};
use super::ruleset::Family;
use super::scene::Scene;
use super::shells::run_text;
use super::tokens::{self, Token};
use super::trial::Trial;
use super::{hidden, literals};

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let values = &[
        "-F",
        "-v",
        "-f",
        "-e",
        "--source",
        "--file",
        "--field-separator",
        "--assign",
        "-i",
        "--include",
        "-l",
        "--load",
        "-E",
        "-o",
        "-p",
        "-D",
    ];
    let parsed = parse(args, Shape { values, stops: false, ..Shape::default() });
    let in_place = parsed.values(&["-i", "--include"]).any(|value| value.text == "inplace");
    if parsed.values(&["-l", "--load"]).next().is_some() {
        scene.ask(trial, "awk-load", "arg_injection", "it loads a library into awk");
    }
    let mut programs: Vec<&Arg> = parsed.values(&["-e", "--source"]).collect();
    let by_file = parsed.value(&["-f", "--file", "-E"]).is_some();
    let mut files = parsed.operands.as_slice();
    if programs.is_empty()
        && !by_file
        && let Some((program, rest)) = parsed.operands.split_first()
    {
        programs.push(program);
        files = rest;
    }
    let given: Vec<&str> = parsed.values(&["-v", "--assign"]).map(|value| value.text.as_str()).collect();
    for program in programs {
        effects(trial, scene, program, &given);
    }
    for file in parsed.values(&["-f", "--file", "-E"]) {
        hidden::run_named(trial, scene, file, &[]);
    }
    let piped = parsed
        .values(&["-f", "--file", "-E"])
        .any(|file| matches!(file.text.as_str(), "-" | "/dev/stdin" | "/dev/fd/0"));
    match scene.input().map(Arg::certain) {
        Some(program) if piped => effects(trial, scene, &program, &given),
        None if piped => {
            scene.ask(trial, "run-unknown", "unknown", "only running would tell what awk is told to do");
        }
        _ => {}
    }
    for file in files.iter().filter(|file| !file.text.contains('=')) {
        if in_place { write(trial, scene, file) } else { read(trial, scene, file) }
    }
}

fn effects(trial: &mut Trial<'_>, scene: &Scene<'_>, program: &Arg, given: &[&str]) {
    if program.has_hole() && program.is_hole() {
        return scene.ask(
            trial,
            "dynamic-command",
            "unknown",
            "only running would tell what awk is told to do",
        );
    }
    let tokens = tokens::scan_plain(&program.text, "#");
    // A quote inside a pattern can hide what follows from the scan.
    let calls = tokens.windows(2).any(|two| matches!(two, [Token::Word("system"), Token::Mark('(')]));
    let squeezed = program.text.replace([' ', '\t'], "");
    if squeezed.contains("system(") && squeezed.contains('/') && !calls && !squeezed.contains("\"system(") {
        scene.ask(trial, "awk-system", "arg_injection", "the program seems to make awk run a command");
    }
    // A command in a variable that is not followed: one of the strings is likely to be it.
    let mut hidden = false;
    let mut variables: HashMap<&str, String> = given
        .iter()
        .filter_map(|given| given.split_once('='))
        .map(|(name, value)| (name, value.to_owned()))
        .collect();
    variables.extend(scene.input().map(|line| ("$0", line.to_owned())));
    for (place, token) in tokens.iter().enumerate() {
        let next = |ahead: usize| tokens.get(place + ahead);
        match token {
            Token::Word("@load") => {
                scene.ask(trial, "awk-load", "arg_injection", "it loads a library into awk");
            }
            Token::Word(word) if *word == "system" && next(1).is_some_and(|token| token.is('(')) => {
                // Strings side by side are one string.
                let inside = tokens.iter().skip(place + 2).take_while(|token| !token.is(')'));
                let text = put_together(inside, &variables);
                let text = Some(text.as_str()).filter(|text| !text.is_empty());
                scene.ask(trial, "awk-system", "arg_injection", "the program makes awk run a command");
                let endless = squeezed.contains("while(1)") || squeezed.contains("for(;;)");
                if endless && text.is_some_and(|text| text.trim_end().ends_with('&')) {
                    let reason = "an endless loop starts processes and never waits for them";
                    scene.deny(trial, "fork-bomb", "resource_exhaustion", reason);
                }
                hidden |= text.is_none();
                nested(trial, scene, text);
            }
            // print … | "command", "command" | getline
            Token::Mark('|')
                if !next(1).is_some_and(|token| token.is('|'))
                    && !before(&tokens, place).is_some_and(|token| token.is('|')) =>
            {
                let reads = next(1).is_some_and(|token| matches!(token, Token::Word("getline")))
                    || next(2).is_some_and(|token| matches!(token, Token::Word("getline")));
                let end = if reads { before(&tokens, place) } else { next(1) };
                let text = end.map(|end| put_together(std::iter::once(end), &variables));
                let text = text.as_deref().filter(|text| !text.is_empty());
                if text.is_some() || reads {
                    pipe(trial, scene, text);
                }
                let shell =
                    text.is_some_and(|text| trial.rules.family(base_name(text)) == Some(Family::Shell));
                hidden |= shell || (reads && text.is_none());
            }
            Token::Word(name) if next(1).is_some_and(|token| token.is('=')) => {
                let value = tokens.iter().skip(place + 2).take(PARTS);
                let value = value.take_while(|token| matches!(token, Token::Text(_) | Token::Word(_)));
                variables.insert(name, put_together(value, &variables));
            }
            Token::Mark('>') => {
                let target = if next(1).is_some_and(|token| token.is('>')) { next(2) } else { next(1) };
                // A comparison has a number or a name on the right.
                if let Some(file) = target.and_then(Token::text) {
                    write(trial, scene, &Arg::certain(file));
                }
            }
            Token::Mark('<') => {
                if let Some(file) = next(1).and_then(Token::text) {
                    read(trial, scene, &Arg::certain(file));
                }
            }
            _ => {}
        }
    }
    if hidden {
        literals::judge_code(trial, scene, &program.text);
        literals::judge_tokens(trial, scene, &tokens);
    }
}

/// More strings and names than anybody puts side by side.
const PARTS: usize = 16;
/// Longer strings are no longer put together.
const LONGEST: usize = 4096;

/// Strings side by side are one string; names stand for what they were given.
fn put_together<'t>(
    tokens: impl Iterator<Item = &'t Token<'t>>,
    variables: &HashMap<&str, String>,
) -> String {
    let mut whole = String::new();
    for token in tokens {
        let part = match token {
            Token::Text(text) => Some(text),
            Token::Word(name) => variables.get(name),
            _ => None,
        };
        whole.push_str(part.filter(|part| whole.len() + part.len() <= LONGEST).map_or("", String::as_str));
    }
    whole
}

fn before<'t, 'a>(tokens: &'t [Token<'a>], place: usize) -> Option<&'t Token<'a>> {
    place.checked_sub(1).and_then(|place| tokens.get(place))
}

fn pipe(trial: &mut Trial<'_>, scene: &Scene<'_>, text: Option<&str>) {
    let mark = trial.mark();
    if let Some(text) = text {
        run_text(trial, scene, &Arg::certain(text), &[], scene.frame.clone());
    }
    // `print | "sort"` is everyday; anything that changes something is not.
    if trial.since(mark) > Class::ReadOnly || text.is_none() {
        scene.ask(trial, "awk-pipe", "arg_injection", "the program makes awk run a command");
    }
}

fn nested(trial: &mut Trial<'_>, scene: &Scene<'_>, text: Option<&str>) {
    let Some(text) = text else { return };
    let mark = trial.mark();
    run_text(trial, scene, &Arg::certain(text), &[], scene.frame.clone());
    if trial.since(mark) < Class::Deny {
        trial.forget(mark);
        trial.raise(Class::Ask);
    }
}
