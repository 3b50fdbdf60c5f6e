//! Interpreters: code on the command line, code from a pipe, scripts.

use super::args::Arg;
use super::code;
use super::hidden::{self, Runner};
use super::options::{Shape, parse};
use super::ruleset::Language;
use super::scene::Scene;
use super::shells::run_text;
use super::trial::{Content, Trial};
use super::written;

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let rules = trial.rules;
    let Some(language) = rules.language(name) else { return };
    let found = inline(language, args);
    far_options(trial, scene, name, args);
    super::serving::judge(trial, scene, name, args);
    super::words::releases(trial, scene, name, args);
    for text in &found.code {
        run_code(trial, scene, language, text);
    }
    if !found.code.is_empty() {
        return files(trial, scene, language, args, &found.operands);
    }
    match found.operands.first() {
        Some(first) if language.sub.contains(&first.text) => {
            for text in found.operands.iter().skip(1).filter(|text| !text.text.starts_with('-')) {
                run_code(trial, scene, language, text);
            }
        }
        // `deno run file`, `bun run file`.
        Some(first) if first.text == "run" && !language.sub.is_empty() => {
            if let Some(file) = found.operands.iter().skip(1).find(|arg| !arg.text.starts_with('-')) {
                script(trial, scene, language, name, file);
            }
        }
        Some(first) if first.text == "-" => from_input(trial, scene, language),
        Some(first) => {
            script(trial, scene, language, name, first);
            super::generic::own_affairs(trial, scene, &parse(&found.operands, Shape::default()));
            known_script(trial, scene, &found.operands);
        }
        None if found.only_checks => {}
        None => from_input(trial, scene, language),
    }
}

/// `-Sdeps '{… :git/url …}'`, `--import-map=https://…`: an option that brings in code from elsewhere.
fn far_options(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let far = |arg: &&Arg| {
        arg.text.contains(":git/url")
            || (arg.text.starts_with('-')
                && arg.text.split_once("=http").is_some()
                && !arg.text.contains(' '))
    };
    if args.iter().take(16).any(|arg| far(&arg) && !super::urls::is_loopback(&arg.text)) {
        let reason = format!("{name} is told to load code straight from the network");
        scene.ask(trial, "run-download", "remote_exec", reason);
    }
}

struct Inline {
    code: Vec<Arg>,
    operands: Vec<Arg>,
    /// Only options such as `-v`: it prints something and ends.
    only_checks: bool,
}

/// Code in options, bundled as in `-Ic code`, `-lane code`, `-ecode`.
fn inline(language: &Language, args: &[Arg]) -> Inline {
    let mut found = Inline { code: Vec::new(), operands: Vec::new(), only_checks: false };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let text = arg.text.as_str();
        if !found.operands.is_empty() || !text.starts_with('-') || text == "-" {
            found.operands.push(arg.clone());
            continue;
        }
        if text == "--" {
            found.operands.extend(rest.by_ref().cloned());
            break;
        }
        let long = text.split_once('=').filter(|(name, _)| language.code.iter().any(|code| code == name));
        if let Some((name, _)) = long {
            found.code.extend(arg.without_prefix(&format!("{name}=")));
        } else if language.code.iter().any(|code| code == text) {
            found.code.extend(rest.next().cloned());
        } else if language.values.iter().any(|value| value == text) {
            rest.next();
        } else if let Some(glued) = bundled(language, arg) {
            match glued.text.is_empty() {
                true => found.code.extend(rest.next().cloned()),
                false => found.code.push(glued),
            }
        } else {
            found.only_checks = true;
        }
    }
    found
}

/// `-ne code` and `-necode`: the letters in front of the one that takes code must be flags.
fn bundled(language: &Language, arg: &Arg) -> Option<Arg> {
    if arg.text.starts_with("--") {
        return None;
    }
    let letters: Vec<char> =
        language.code.iter().filter(|code| code.len() == 2).filter_map(|code| code.chars().nth(1)).collect();
    let mut front = String::from("-");
    for letter in arg.text.chars().skip(1) {
        front.push(letter);
        if letters.contains(&letter) {
            return arg.without_prefix(&front);
        }
        // A letter that takes the rest of the word as its value, such as `-MFile::Path` or `-I.`.
        let taker = format!("-{letter}");
        if language.values.contains(&taker)
            || (language.bare && matches!(letter, 'M' | 'm' | 'I' | 'F'))
            || !letter.is_ascii_alphanumeric()
        {
            return None;
        }
    }
    None
}

fn run_code(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language, text: &Arg) {
    if text.is_hole() {
        let inner = text.hints.first().and_then(|hint| super::reading::inside(hint)).map(str::to_owned);
        return match inner {
            Some(inner) => hidden::run_substituted(trial, scene, &inner),
            None => {
                scene.ask(trial, "dynamic-command", "unknown", "only running would tell which code is run")
            }
        };
    }
    code::judge(trial, scene, language, &text.text);
    // IPython: `!command`.
    if language.names.iter().any(|name| name == "ipython") {
        for command in text.text.lines().filter_map(|line| line.trim_start().strip_prefix('!')) {
            run_text(trial, scene, &Arg::certain(command), &[], scene.frame.clone());
        }
    }
}

fn from_input(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language) {
    trial.changes();
    if let Some(text) = scene.input().map(str::to_owned) {
        hidden::run_input(trial, scene, Runner::Interpreter, &[]);
        return code::judge(trial, scene, language, &text);
    }
    hidden::run_input(trial, scene, Runner::Interpreter, &[]);
}

/// A script of the project is run by its name; its own arguments say little, except for the few that everybody knows.
fn script(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language, name: &str, file: &Arg) {
    trial.changes();
    if super::urls::is_url(&file.text) {
        return scene.ask(
            trial,
            "run-download",
            "remote_exec",
            format!("{name} runs code straight from the network"),
        );
    }
    let path = scene.locate(trial, file).path;
    match path.and_then(|path| trial.files.get(&path)).cloned() {
        Some(Content::Text(text)) => written::judge_code(trial, scene, language, &text),
        _ => hidden::run_named(trial, scene, file, &[]),
    }
}

/// Files that code with `-i` or `-n` is applied to.
fn files(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language, args: &[Arg], operands: &[Arg]) {
    let in_place = language.bare
        && args.iter().any(|arg| {
            arg.text.starts_with('-')
                && !arg.text.starts_with("--")
                && arg.text.contains('i')
                && !arg.text.starts_with("-M")
                && !arg.text.starts_with("-e")
                && !arg.text.starts_with("-I")
        });
    for file in operands {
        if in_place {
            super::access::write(trial, scene, file);
        } else if language.bare {
            super::access::read(trial, scene, file);
        }
    }
}

/// `manage.py flush`, `artisan migrate:fresh`: a script everybody knows.
fn known_script(trial: &mut Trial<'_>, scene: &Scene<'_>, words: &[Arg]) {
    let Some((file, arguments)) = words.split_first() else { return };
    let name = super::args::base_name(&file.text);
    super::installing::judge(trial, scene, name, arguments);
    if trial.rules.program(name).is_some() {
        super::table::judge(trial, scene, name, arguments);
    }
}
