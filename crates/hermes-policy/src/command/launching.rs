//! Options that make a harmless program a launcher, and the launchers with habits of their own.

use super::args::{Arg, base_name, join};
use super::assignments;
use super::call::judge_words;
use super::launched::{ENV_VALUES, SUDO_VALUES, assignment, skip_assignments};
use super::model::{Class, EffectKind};
use super::options::{Shape, parse};
use super::ruleset::LaunchOption;
use super::scene::{Frame, Scene};
use super::shells::run_text;
use super::trial::Trial;

/// Asks about options of `launch_options.yaml`; true if one was found.
pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) -> bool {
    let rules = trial.rules;
    let mut found = false;
    for option in rules.launch_options(name) {
        for value in values(option, args) {
            found |= launches(trial, scene, option, name, &value);
        }
    }
    found
}

fn launches(
    trial: &mut Trial<'_>,
    scene: &Scene<'_>,
    option: &LaunchOption,
    name: &str,
    value: &Arg,
) -> bool {
    let seems = option.unless.as_ref().is_some_and(|pattern| pattern.is_match(&value.text));
    if seems || (option.helpers && is_helper(trial, value)) {
        return false;
    }
    let reason = match option.bare {
        true => format!("`{}` makes {name} run code of somebody's choice", value.shown()),
        false => format!("it makes {name} start `{}`", value.shown()),
    };
    scene.ask(trial, &option.name, "arg_injection", reason);
    if !option.bare && value.is_certain() {
        // Only what must never happen adds to that.
        let mark = trial.mark();
        run_text(trial, scene, value, &[], scene.frame.clone());
        if trial.since(mark) < Class::Deny {
            trial.forget(mark);
            trial.raise(Class::Ask);
        }
    }
    true
}

/// The values that the options of a rule were given.
fn values(option: &LaunchOption, args: &[Arg]) -> Vec<Arg> {
    let mut found = Vec::new();
    for wanted in &option.options {
        let (name, begin) =
            wanted.split_once('=').map_or((wanted.as_str(), ""), |(name, begin)| (name, begin));
        for (place, arg) in args.iter().enumerate() {
            let value = if arg.text == name {
                if option.bare { Some(arg.clone()) } else { args.get(place + 1).cloned() }
            } else if let Some(rest) = arg.without_prefix(name) {
                match rest.without_prefix("=") {
                    Some(value) => Some(value),
                    // `-Izstd`, `-oProxyCommand=…`: glued to a short option.
                    None if name.len() == 2 && !name.starts_with("--") => Some(rest),
                    None if option.bare => Some(arg.clone()),
                    None => None,
                }
            } else {
                abbreviated(name, arg, args.get(place + 1)).filter(|_| !option.bare)
            };
            let lower = |text: &str| text.trim_start().to_ascii_lowercase();
            found.extend(
                value
                    .filter(|value| lower(&value.text).starts_with(&lower(begin)))
                    .map(|value| if begin.is_empty() { value } else { value.after('=').unwrap_or(value) }),
            );
        }
    }
    found
}

/// `--compress-prog=x` is `--compress-program=x` to getopt.
fn abbreviated(name: &str, arg: &Arg, next: Option<&Arg>) -> Option<Arg> {
    let given = arg.text.split_once('=').map_or(arg.text.as_str(), |(given, _)| given);
    let cut =
        given.len() >= 6 && given.starts_with("--") && given.len() < name.len() && name.starts_with(given);
    if !cut {
        return None;
    }
    arg.after('=').or_else(|| next.cloned())
}

/// A pager, a compressor, `ssh` with plain options: what such options are for.
pub(crate) fn is_helper(trial: &Trial<'_>, value: &Arg) -> bool {
    let Some(text) = value.exact() else { return false };
    if text.contains([';', '|', '&', '$', '`', '<', '>', '\n', '!', '(']) {
        return false;
    }
    let mut words = text.split_whitespace();
    let program = words.next().unwrap_or("");
    let near = !program.contains('/')
        || ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"]
            .iter()
            .any(|folder| program.strip_prefix(folder).is_some_and(|name| !name.contains('/')));
    let steered = text.to_ascii_lowercase().contains("command=")
        || words.any(|word| word.starts_with('+') || word == "-c" || word == "-S");
    near && !steered && trial.rules.lists("helpers", base_name(program))
}

/// `sudo`, `doas`: the same call with other rights.
pub(crate) fn sudo(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let parsed = parse(args, Shape { values: SUDO_VALUES, stops: true, ..Shape::default() });
    trial.effect(EffectKind::Privilege, name);
    if parsed.has(&["-S", "--stdin", "-A", "--askpass"]) {
        scene.ask(trial, "sudo-password", "priv_esc", "it hands over a password instead of asking for one");
    }
    if parsed.has(&["-e", "--edit"]) {
        scene.ask(trial, "sudo-edit", "priv_esc", "it edits files as another user");
        return;
    }
    let rest = args.get(parsed.first..).unwrap_or_default();
    let given: Vec<(String, Arg)> = rest.iter().map_while(assignment).collect();
    let mut frame = Frame { privileged: true, ..scene.frame.clone() }.passing(given.iter());
    if let Some(folder) = parsed.value(&["-D", "--chdir"]) {
        frame.cwd = scene.locate(trial, folder).path;
    }
    let inner = Scene { script: scene.script, index: scene.index, command: scene.command, frame };
    for (variable, value) in &given {
        assignments::one(trial, &inner, variable, value);
    }
    let rest = skip_assignments(rest);
    if rest.is_empty() {
        let looks =
            parsed.has_exactly(&["-l", "--list", "-V", "--version", "-k", "-K", "-v", "--validate", "-n"]);
        if !looks || parsed.has(&["-i", "-s", "--login", "--shell"]) {
            scene.ask(trial, "sudo-shell", "priv_esc", "it opens a shell of another user");
        }
        return;
    }
    let mark = trial.mark();
    judge_words(trial, &inner, rest);
    if trial.since(mark) == Class::Safe {
        scene.ask(
            trial,
            "sudo",
            "priv_esc",
            format!("it changes something with the rights that {name} gives"),
        );
    }
}

/// `env`: variables, then a command.
pub(crate) fn env(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let parsed = parse(args, Shape { values: ENV_VALUES, stops: true, ..Shape::default() });
    if let Some(text) = parsed.value(&["-S", "--split-string"]) {
        // What follows is appended to the words of the text.
        let apart = args.iter().position(|arg| matches!(arg.text.as_str(), "-S" | "--split-string"));
        let start = apart.map_or(parsed.first, |place| place + 2);
        let rest = args.get(start..).unwrap_or_default();
        if rest.len() > 500 {
            return scene.ask(
                trial,
                "too-long",
                "limit",
                "it starts a program with more words than anybody would read",
            );
        }
        if rest.is_empty() || text.text.contains(['\'', '"', '\\']) {
            let whole: Vec<Arg> = std::iter::once(text).chain(rest).cloned().collect();
            return run_text(trial, scene, &join(&whole), &[], scene.frame.clone());
        }
        let words: Vec<Arg> =
            text.text.split_whitespace().map(Arg::certain).chain(rest.iter().cloned()).collect();
        return env(trial, scene, &words);
    }
    let mut frame = scene.frame.clone();
    if let Some(folder) = parsed.value(&["-C", "--chdir"]) {
        frame.cwd = scene.locate(trial, folder).path;
    }
    let rest = args.get(parsed.first..).unwrap_or_default();
    let given: Vec<(String, Arg)> = rest.iter().map_while(assignment).collect();
    let frame = frame.passing(given.iter());
    let inner = Scene { script: scene.script, index: scene.index, command: scene.command, frame };
    for (variable, value) in &given {
        assignments::one(trial, &inner, variable, value);
    }
    judge_words(trial, &inner, skip_assignments(rest));
}
