//! Programs that nobody wrote a rule for: judged by the words, options and files they are given.

use super::access::{read, write};
use super::args::{Arg, HOLE, base_name};
use super::call::judge_words;
use super::model::Class;
use super::options::{Parsed, Shape, parse};
use super::place::Kind;
use super::scene::Scene;
use super::sensitive::{Sensitive, sensitive_at_all};
use super::trial::Trial;
use super::{serving, sockets, words};
use crate::shell::Word;

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg], asked: bool) {
    trial.changes();
    let parsed = parse(args, Shape::default());
    own_affairs(trial, scene, &parsed);
    launched(trial, scene, args);
    if !asked {
        launch_options(trial, scene, name, args);
    }
    super::disks::look(trial, scene, name, args, false);
    serving::judge(trial, scene, name, args);
    if is_script(scene, name) {
        // A script of the project does what the project says; its words are its own.
        return files(trial, scene, args);
    }
    words::judge(trial, scene, name, &parsed);
    files(trial, scene, args);
    outputs(trial, scene, args);
    edits(trial, scene, &parsed);
    sockets::data_in_name(trial, scene, args);
}

/// Words that change the file they are about.
const EDITS: &[&str] = &[
    "set", "put", "add", "insert", "edit", "write", "update", "modify", "append", "replace", "patch", "save",
];

/// `crudini --set /etc/app.ini a b`: a file of the system, and a word that says it is changed.
fn edits(trial: &mut Trial<'_>, scene: &Scene<'_>, parsed: &Parsed) {
    let says = |text: &str| EDITS.contains(&text.trim_start_matches('-'));
    let in_place = parsed.has_exactly(&["--in-place", "--inplace"]);
    let edits = parsed.operands.iter().take(2).any(|word| says(&word.text))
        || parsed.flags.iter().any(|flag| flag.name.starts_with("--") && says(&flag.name));
    if !edits && !in_place {
        return;
    }
    let paths = parsed.operands.iter().chain(parsed.flags.iter().filter_map(|flag| flag.value.as_ref()));
    for path in paths.filter(|path| path.text.starts_with(['/', '~'])) {
        let kind = scene.locate(trial, path).kind;
        if matches!(kind, Kind::System | Kind::SystemRoot) || (in_place && kind != Kind::Workspace) {
            write(trial, scene, path);
        }
    }
}

/// Programs whose name among the words of an unknown program means that it starts them.
const STARTED: &[&str] = &[
    "rm",
    "dd",
    "chmod",
    "chown",
    "mkfs",
    "mkfs.ext4",
    "mkfs.xfs",
    "wipefs",
    "shred",
    "mv",
    "find",
    "kill",
    "sh",
    "bash",
    "zsh",
    "sudo",
    "env",
    "nice",
    "timeout",
    "nohup",
    "/bin/rm",
    "/bin/sh",
    "/bin/bash",
    "systemctl",
    "xargs",
];

/// A launcher that nobody knows: what it would launch, if one of its words is a program that can destroy.
fn launched(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let start = args.iter().take(8).position(|arg| arg.is_certain() && STARTED.contains(&arg.text.as_str()));
    let Some(inner) = start.and_then(|start| args.get(start..)).filter(|inner| inner.len() > 1) else {
        return;
    };
    if inner.len() > 500 {
        return scene.ask(
            trial,
            "too-long",
            "limit",
            "it starts a program with more words than anybody would read",
        );
    }
    let mark = trial.mark();
    judge_words(trial, scene, inner);
    if trial.since(mark) < Class::Ask {
        trial.forget(mark);
        trial.changes();
    }
}

/// Hermes under another name: a copy, a link, a program found at run time.
pub(crate) fn own_affairs(trial: &mut Trial<'_>, scene: &Scene<'_>, parsed: &Parsed) {
    let word = |place: usize| parsed.word(place).unwrap_or_default();
    let own = (0..3).any(|place| {
        matches!(
            (word(place), word(place + 1)),
            ("grants", "add" | "revoke" | "prune" | "import")
                | ("approvals", "approve" | "deny" | "answer")
                | ("policy" | "hooks", "trust" | "untrust")
                | ("config", "trust")
        )
    });
    if own {
        let reason = "it answers, grants or trusts in the name of the person who is asked";
        scene.ask(trial, "hermes-change", "policy_tamper", reason);
    }
}

/// Started by a path, such as `./scripts/reset.sh`.
fn is_script(scene: &Scene<'_>, name: &str) -> bool {
    scene.command.words.iter().map(Word::shown).any(|text| {
        let by_path = text.starts_with("./")
            || text.starts_with("../")
            || (text.contains('/') && [".sh", ".py", ".js"].iter().any(|end| text.ends_with(end)));
        by_path && base_name(&text) == name
    })
}

/// Options that take a command in one program are likely to take one in another.
fn launch_options(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    for (place, arg) in args.iter().enumerate() {
        let option = arg.text.split_once('=').map_or(arg.text.as_str(), |(option, _)| option);
        if !trial.rules.lists("launch_options", option) {
            continue;
        }
        let value = arg.after('=').or_else(|| args.get(place + 1).cloned());
        let runs = value.as_ref().is_some_and(|value| {
            value.text.contains([' ', '/', ';', '|', '&', '$', '!', HOLE])
                && !super::launching::is_helper(trial, value)
        });
        if runs {
            let reason = format!("`{option}` makes {name} start another program");
            scene.ask(trial, "launch-option", "arg_injection", reason);
        }
    }
}

/// Files that no program should be handed without a question.
fn files(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    for arg in args {
        let value = if arg.text.starts_with('-') { arg.after('=') } else { Some(arg.clone()) };
        let Some(value) = value.filter(|value| value.text.contains(['/', '~', '.'])) else { continue };
        let place = scene.locate(trial, &value);
        match sensitive_at_all(&value, &place, trial) {
            Some(
                Sensitive::Credential | Sensitive::Socket | Sensitive::ProcessSecrets | Sensitive::History,
            ) => {
                read(trial, scene, &value);
            }
            Some(Sensitive::Runtime | Sensitive::Hook | Sensitive::StartUp) => write(trial, scene, &value),
            _ => {}
        }
    }
}

/// Options that say where output goes.
pub(crate) fn outputs(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    for (place, arg) in args.iter().enumerate() {
        let option = arg.text.split_once('=').map_or(arg.text.as_str(), |(option, _)| option);
        // `--python_out=folder`, `--doc-out folder`.
        let made = ["_out", "-out", "_output", "-output"].iter().any(|end| option.ends_with(end));
        if !option.starts_with('-') || !(made || trial.rules.lists("output_options", option)) {
            continue;
        }
        let Some(value) = arg.after('=').or_else(|| args.get(place + 1).cloned()) else { continue };
        // Only what is a path for certain: `-o` means many things.
        if value.text.starts_with(['/', '~']) && !scene.locate(trial, &value).is_writable() {
            write(trial, scene, &value);
        }
    }
}
