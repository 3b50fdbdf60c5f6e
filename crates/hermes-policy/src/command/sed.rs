//! `sed`: scripts that run commands or write files, and edits in place.

use super::access::{read, write};
use super::args::Arg;
use super::hidden;
use super::model::Class;
use super::options::{Shape, parse};
use super::scene::Scene;
use super::shells::run_text;
use super::trial::Trial;

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let values = &["-e", "--expression", "-f", "--file", "-l", "--line-length"];
    // `-i` and `-i.bak` are the same; its suffix is glued on.
    let (inline, rest): (Vec<&Arg>, Vec<&Arg>) = args.iter().partition(|arg| {
        (arg.text.starts_with("-i") || arg.text.starts_with("--in-place") || arg.text == "-I")
            && !arg.text.starts_with("--i=")
    });
    let rest: Vec<Arg> = rest.into_iter().cloned().collect();
    let parsed = parse(&rest, Shape { values, ..Shape::default() });
    let in_place = !inline.is_empty() || parsed.has(&["-i", "--in-place"]);
    let mut scripts: Vec<&Arg> = parsed.values(&["-e", "--expression"]).collect();
    let by_file = parsed.value(&["-f", "--file"]).is_some();
    let mut files = parsed.operands.as_slice();
    if scripts.is_empty() && !by_file {
        // macOS writes `-i '' script`.
        let operands = parsed.operands.split_first();
        if let Some((first, rest)) = operands {
            match (first.text.is_empty() && in_place, rest.split_first()) {
                (true, Some((script, rest))) => {
                    scripts.push(script);
                    files = rest;
                }
                _ => {
                    scripts.push(first);
                    files = rest;
                }
            }
        }
    }
    for file in parsed.values(&["-f", "--file"]) {
        hidden::run_named(trial, scene, file, &[]);
    }
    let sandboxed = parsed.has(&["--sandbox"]);
    for script in scripts.into_iter().filter(|_| !sandboxed) {
        effects(trial, scene, &script.text);
    }
    for file in files {
        if in_place { write(trial, scene, file) } else { read(trial, scene, file) }
    }
}

/// What a script does besides editing: `e` runs, `w` writes, `r` reads.
enum Act<'a> {
    Run(&'a str),
    Write(&'a str),
    Read(&'a str),
}

fn effects(trial: &mut Trial<'_>, scene: &Scene<'_>, script: &str) {
    for act in acts(script) {
        match act {
            Act::Run(text) => {
                scene.ask(trial, "sed-exec", "arg_injection", "the `e` of sed runs text as a command");
                let mark = trial.mark();
                run_text(trial, scene, &Arg::certain(text), &[], scene.frame.clone());
                if trial.since(mark) < Class::Deny {
                    trial.forget(mark);
                    trial.raise(Class::Ask);
                }
            }
            Act::Write(file) => write(trial, scene, &Arg::certain(file)),
            Act::Read(file) => read(trial, scene, &Arg::certain(file)),
        }
    }
}

fn acts(script: &str) -> Vec<Act<'_>> {
    let mut acts = Vec::new();
    let mut rest = script;
    while !rest.is_empty() {
        rest = skip_address(rest.trim_start_matches([' ', '\t', '\n', ';', '{', '}', '!']));
        rest = rest.trim_start_matches([' ', '\t', '{', '!']);
        let Some(command) = rest.chars().next() else { break };
        let body = rest.get(command.len_utf8()..).unwrap_or("");
        rest = match command {
            's' | 'y' => substitute(body, command == 's', &mut acts),
            'e' => {
                let (line, after) = line(body);
                acts.push(Act::Run(line.trim()));
                after
            }
            'w' | 'W' | 'r' | 'R' => {
                let (line, after) = line(body);
                acts.push(if command.eq_ignore_ascii_case(&'w') {
                    Act::Write(line.trim())
                } else {
                    Act::Read(line.trim())
                });
                after
            }
            'a' | 'i' | 'c' | '#' => line(body).1,
            ':' | 'b' | 't' | 'T' => {
                body.find([';', '\n', '}']).and_then(|end| body.get(end..)).unwrap_or("")
            }
            _ => body,
        };
    }
    acts
}

fn line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

/// `1,5`, `$`, `/re/`, `\%re%I`, `first~step`, `addr,+3`.
fn skip_address(text: &str) -> &str {
    let mut rest = text;
    loop {
        let before = rest;
        rest =
            rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '$' | ',' | '~' | '+' | ' '));
        if let Some(body) = rest.strip_prefix('/') {
            rest = skip_to(body, '/').trim_start_matches(['I', 'M']);
        } else if let Some(body) = rest.strip_prefix('\\') {
            let mut letters = body.chars();
            if let Some(mark) = letters.next() {
                rest = skip_to(letters.as_str(), mark).trim_start_matches(['I', 'M']);
            }
        }
        if rest.len() == before.len() {
            return rest;
        }
    }
}

/// What stands behind the next mark that no backslash escapes and that is in no bracket.
fn skip_to(text: &str, mark: char) -> &str {
    let mut escaped = false;
    let mut bracket = false;
    for (place, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' if mark != '[' => bracket = true,
            ']' => bracket = false,
            _ if letter == mark && !bracket => return text.get(place + letter.len_utf8()..).unwrap_or(""),
            _ => {}
        }
    }
    // A bracket that never closed was none.
    text.split_once(mark).map_or("", |(_, rest)| rest)
}

fn substitute<'a>(body: &'a str, has_flags: bool, acts: &mut Vec<Act<'a>>) -> &'a str {
    let mut letters = body.chars();
    let Some(mark) = letters.next() else { return "" };
    let replacement = skip_to(letters.as_str(), mark);
    let flags = skip_replacement(replacement, mark);
    if !has_flags {
        return flags;
    }
    let end = flags.find([';', '\n', '}']).unwrap_or(flags.len());
    let given = flags.get(..end).unwrap_or("");
    if let Some((_, file)) = given.split_once('w') {
        acts.push(Act::Write(file.trim()));
    }
    let runs = given.split('w').next().unwrap_or("").contains('e');
    if runs {
        let used =
            replacement.get(..replacement.len().saturating_sub(flags.len() + mark.len_utf8())).unwrap_or("");
        acts.push(Act::Run(used));
    }
    flags.get(end..).unwrap_or("")
}

fn skip_replacement(text: &str, mark: char) -> &str {
    let mut escaped = false;
    for (place, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == mark => return text.get(place + letter.len_utf8()..).unwrap_or(""),
            _ => {}
        }
    }
    ""
}
