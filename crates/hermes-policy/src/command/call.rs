//! One call: which program it really starts, and who knows what that does.

use super::args::{Arg, HOLE, base_name};
use super::folder::Folders;
use super::foreign::looks_like_another;
use super::options::{Shape, parse};
use super::place::is_below;
use super::ruleset::Compiled;
use super::scene::Scene;
use super::trial::Trial;
use super::{dispatch, help, hidden};
use crate::shell::glob_matches;

/// Programs that a pattern such as `/bin/r?` could stand for and that must not slip through.
const VITAL: &[&str] = &[
    "rm",
    "dd",
    "mkfs",
    "mkfs.ext4",
    "shutdown",
    "reboot",
    "halt",
    "poweroff",
    "init",
    "kill",
    "killall",
    "chmod",
    "chown",
    "wipefs",
    "shred",
    "bash",
    "sh",
    "dash",
    "zsh",
    "python",
    "python3",
    "perl",
    "curl",
    "wget",
    "nc",
    "find",
];

pub(crate) fn judge_command(trial: &mut Trial<'_>, scene: &Scene<'_>, folders: &mut Folders) {
    let args: Vec<Arg> = scene.command.words.iter().map(Arg::from_word).collect();
    let plain = args.iter().position(|arg| !matches!(arg.text.as_str(), "builtin" | "command"));
    if let Some((program, rest)) = plain.and_then(|place| args.get(place..)).and_then(<[Arg]>::split_first)
        && matches!(program.text.as_str(), "cd" | "pushd" | "popd" | "chdir")
    {
        let home = trial.stage.home.clone();
        match scene.command.in_substitution {
            true => folders.change_inside(rest, &home),
            false => folders.change(&program.text, rest, &home),
        }
    }
    judge_words(trial, scene, &args);
}

/// Judges a program and its arguments, however they came about.
pub(crate) fn judge_words(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let Some((program, rest)) = args.split_first() else { return };
    if !trial.count() {
        return scene.ask(trial, "too-many", "limit", "there are more commands than anybody would look at");
    }
    if !trial.enter_call(rest.len()) {
        return scene.deny(
            trial,
            "too-deep",
            "limit",
            "programs that start programs are nested too deep to be followed",
        );
    }
    started(trial, scene, program, rest);
    trial.leave_call();
}

fn started(trial: &mut Trial<'_>, scene: &Scene<'_>, program: &Arg, rest: &[Arg]) {
    if program.has_hole() {
        return unknown_program(trial, scene, program, rest);
    }
    if program.pattern {
        return pattern_program(trial, scene, program, rest);
    }
    named(trial, scene, program, rest);
}

fn named(trial: &mut Trial<'_>, scene: &Scene<'_>, program: &Arg, rest: &[Arg]) {
    if super::urls::is_url(&program.text)
        || program.text.starts_with("github:")
        || program.text.starts_with("git+")
    {
        let reason = format!("{} is code straight from the network", program.text);
        return scene.ask(trial, "run-download", "remote_exec", reason);
    }
    let name = base_name(&program.text);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    if name.is_empty() {
        return scene.ask(trial, "empty-program", "unknown", "the program has no name");
    }
    if !name.is_ascii() && looks_like_another(name, trial.rules) {
        let reason = format!("`{name}` is spelled with letters that only look like those of a known program");
        return scene.ask(trial, "foreign-letters", "display_spoofing", reason);
    }
    user_rules(trial, scene, name, program, rest);
    // Only where the reader is sure: a function may be defined later, elsewhere, or not at all.
    let own =
        scene.command.words.first().is_some_and(|word| word.literal().as_deref() == Some(&program.text));
    if scene.command.calls.is_some() && own && scene.command.words.len() == rest.len() + 1 {
        return trial.changes();
    }
    if help::only(trial, name, rest) {
        return;
    }
    if ["/etc/init.d/", "/etc/rc.d/"].iter().any(|folder| program.text.starts_with(folder)) {
        if !rest.iter().any(|arg| arg.text == "status") {
            scene.ask(
                trial,
                "service-script",
                "service_control",
                format!("it starts, stops or changes the service {name}"),
            );
        }
        return;
    }
    if program.text.contains('/') {
        written_here(trial, scene, program, rest);
    }
    dispatch::judge(trial, scene, name, rest);
}

/// `$CC -c x.c` is a build, `$(npm bin)/eslint` is eslint; anything else that is not known is asked about.
fn unknown_program(trial: &mut Trial<'_>, scene: &Scene<'_>, program: &Arg, rest: &[Arg]) {
    if program.is_hole() {
        let hint = program.hints.first().map(String::as_str).unwrap_or_default();
        let variable = hint.trim_start_matches(['$', '{', '"']).trim_end_matches(['}', '"']);
        if trial.rules.lists("tool_variables", variable) {
            return trial.changes();
        }
        if hidden::judge_substituted(trial, scene, program, rest) {
            return;
        }
        let reason = format!("`{}` decides only at run time which program starts", program.shown());
        scene.ask(trial, "unknown-program", "unknown", reason);
        super::generic::own_affairs(trial, scene, &parse(rest, Shape::default()));
        // An empty word vanishes, and then the next one is the program.
        if rest.first().is_some_and(|next| next.is_certain() && trial.rules.knows(base_name(&next.text))) {
            judge_words(trial, scene, rest);
        }
        return;
    }
    let tail = program.text.rsplit(HOLE).next().unwrap_or("");
    let name = base_name(tail);
    if tail.contains('/') && !name.is_empty() && program.hints.len() == 1 {
        return named(trial, scene, &Arg::certain(name), rest);
    }
    let reason = format!("`{}` decides only at run time which program starts", program.shown());
    scene.ask(trial, "unknown-program", "unknown", reason);
}

/// How many words are looked at for every program that a pattern may mean.
const PATTERN_WORDS: usize = 200;

fn pattern_program(trial: &mut Trial<'_>, scene: &Scene<'_>, program: &Arg, rest: &[Arg]) {
    let pattern = base_name(&program.text);
    let reason = format!("the shell would match `{}` against file names to find the program", program.text);
    scene.ask(trial, "pattern-program", "obfuscated_exec", reason);
    // It is asked about in any case: what is refused stands in front.
    let rest = rest.get(..PATTERN_WORDS).unwrap_or(rest);
    for name in VITAL.iter().filter(|name| glob_matches(pattern, name)) {
        dispatch::judge(trial, scene, name, rest);
    }
}

/// A file that this very script wrote is run.
fn written_here(trial: &mut Trial<'_>, scene: &Scene<'_>, program: &Arg, rest: &[Arg]) {
    let Some(path) = scene.locate(trial, program).path else { return };
    match trial.files.get(&path).cloned() {
        Some(content) => hidden::run_file(trial, scene, (program, rest), &content),
        None if trial.cloned.iter().any(|folder| is_below(&path, folder)) => {
            hidden::cloned(trial, scene, &path)
        }
        None if trial.unpacked && !path.starts_with("/usr/") && !path.starts_with("/bin/") => {
            let reason = "it runs a program out of an archive that was just downloaded";
            scene.ask(trial, "run-download", "remote_exec", reason);
        }
        None => {}
    }
}

fn user_rules(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, program: &Arg, rest: &[Arg]) {
    if trial.user.is_empty() {
        return;
    }
    let mut text = program.shown();
    for arg in rest {
        text.push(' ');
        text.push_str(&arg.shown());
    }
    let user: &[Compiled] = trial.user;
    for Compiled { rule, pattern } in user {
        let by_name = rule.program.as_deref().is_none_or(|program| program == name);
        if by_name && pattern.as_ref().is_none_or(|pattern| pattern.is_match(&text)) {
            scene.find(trial, rule.class, (&rule.name, &rule.category), rule.reason.clone());
        }
    }
}
