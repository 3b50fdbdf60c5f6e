//! Commands of the shell itself, and the ones that plant something for later.

use super::args::Arg;
use super::assignments;
use super::judge::judge_text;
use super::launched::assignment;
use super::model::EffectKind;
use super::scene::Scene;
use super::shells::run_text;
use super::trial::Trial;

/// `trap 'text' SIGNAL`.
pub(crate) fn trap(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let action = args.iter().find(|arg| arg.text != "--" && arg.text != "-p" && arg.text != "-l");
    let plain = args.first().is_some_and(|first| matches!(first.text.as_str(), "-p" | "-l" | "-"));
    if let Some(text) = action.filter(|text| !plain && !text.text.is_empty() && args.len() > 1) {
        let text = with_fresh_folders(scene, text);
        run_text(trial, scene, &text, &[], scene.frame.clone());
    }
}

/// The text of a trap is read when it runs: by then `$d` is what `d=$(mktemp -d)` made.
fn with_fresh_folders(scene: &Scene<'_>, text: &Arg) -> Arg {
    let mut filled = text.clone();
    let assigned = || scene.script.commands.iter().take(200).flat_map(|command| &command.assignments);
    for one in assigned().filter(|one| one.value.shown().starts_with("$(mktemp")).take(8) {
        let fresh = assigned().filter(|other| other.name == one.name).all(|other| other.value == one.value);
        if fresh {
            let (plain, braced) = (format!("${}", one.name), format!("${{{}}}", one.name));
            filled.text =
                filled.text.replace(&braced, "/tmp/fresh").replace(&format!("\"{plain}\""), "/tmp/fresh");
        }
    }
    filled
}

/// `alias name=text`: what the name would run.
pub(crate) fn alias(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    if name == "abbr" && args.len() > 1 {
        let reason = "fish keeps it, and types it in place of the word from now on";
        scene.ask(trial, "write-startup", "persistence", reason);
    }
    for arg in args {
        if let Some(text) = arg.after('=') {
            run_text(trial, scene, &text, &[], scene.frame.clone());
        }
    }
}

/// `export`, `declare`, `local`, `unset`, `set`, `shopt`, `enable`, `hash`, `history`, `bind`.
pub(crate) fn declare(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let has = |flag: &str| args.iter().any(|arg| arg.text == flag);
    let forgets = match name {
        "history" => {
            args.iter().any(|arg| arg.text.starts_with('-') && arg.text.contains(['c', 'd', 'w', 'r']))
        }
        "unset" => args.iter().any(|arg| arg.text.starts_with("HIST")),
        "set" => args
            .windows(2)
            .any(|pair| matches!(pair, [plus, option] if plus.text == "+o" && option.text == "history")),
        _ => false,
    };
    if forgets {
        return scene.ask(
            trial,
            "forget-history",
            "anti_forensics",
            "it hides or deletes the record of what was typed",
        );
    }
    if recalls(name, args) {
        let reason = "a shell would make other commands of what is typed later";
        return scene.ask(trial, "typed-otherwise", "unknown", reason);
    }
    let loads = (name == "enable" && has("-f"))
        || (name == "hash" && has("-p"))
        || (name == "bind" && has("-x"))
        || (matches!(name, "complete" | "compgen") && has("-C"));
    if loads {
        return scene.ask(
            trial,
            "shell-load",
            "arg_injection",
            format!("it makes the shell run other code as `{name}`"),
        );
    }
    for (variable, value) in args.iter().filter_map(assignment) {
        assignments::one(trial, scene, &variable, &value);
    }
}

/// Whether keys, or words that are typed later, would bring about commands that nobody typed: keys with texts of their own,
/// history that was never typed, and the switch that lets `!x` bring it back.
fn recalls(name: &str, args: &[Arg]) -> bool {
    let is_flag = |arg: &Arg| arg.text.len() > 1 && arg.text.starts_with('-') && !arg.text.starts_with("--");
    let is_option =
        |on: &Arg, option: &Arg| on.text == "-o" && matches!(option.text.as_str(), "histexpand" | "history");
    let flagged = |letter: char| args.iter().any(|arg| is_flag(arg) && arg.text.contains(letter));
    match name {
        "history" => flagged('s'),
        "set" => {
            flagged('H') || args.windows(2).any(|pair| matches!(pair, [on, option] if is_option(on, option)))
        }
        "shopt" => args.iter().any(|arg| arg.text == "histexpand"),
        "setopt" => args.iter().any(|arg| arg.text.replace('_', "").to_lowercase() == "banghist"),
        "bind" => {
            args.iter().any(|arg| !is_flag(arg) && !arg.text.starts_with("set ")) && !flagged('q')
                || flagged('f')
        }
        "bindkey" => args.iter().filter(|arg| !is_flag(arg)).count() > 1,
        _ => false,
    }
}

/// `crontab`, `at`, `batch`: something that runs later.
pub(crate) fn schedule(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let listing = matches!(name, "crontab") && args.iter().any(|arg| arg.text == "-l")
        || matches!(name, "at" | "batch")
            && args.iter().any(|arg| matches!(arg.text.as_str(), "-l" | "-c" | "-V"))
        || name == "atq";
    if listing {
        return;
    }
    trial.effect(EffectKind::Persistence, name);
    scene.ask(
        trial,
        "schedule",
        "persistence",
        format!("{name} plants or removes something that runs later"),
    );
    if let Some(text) = scene.input().map(str::to_owned).filter(|_| name != "crontab") {
        judge_text(trial, scene, &text, scene.frame.clone());
    }
}
