//! A call of git: its global options, and who knows about the subcommand.

use crate::command::access::{read, write};
use crate::command::archives::is_download;
use crate::command::args::Arg;
use crate::command::holding;
use crate::command::launching::is_helper;
use crate::command::options::{Shape, parse};
use crate::command::scene::Scene;
use crate::command::trial::Trial;

use super::chores::{chore, hand_on};
use super::losses::losses;
use super::outputs::outputs;
use super::remotes::addresses;
use super::settings::{config, set};

/// Options in front of the subcommand that take a value.
const GLOBAL: &[&str] =
    &["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix"];

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let global = parse(args, Shape { values: GLOBAL, stops: true, ..Shape::default() });
    for setting in global.values(&["-c", "--config-env"]) {
        let (key, value) = setting.text.split_once('=').unwrap_or((&setting.text, ""));
        let value = setting.after('=').unwrap_or_else(|| Arg::certain(value));
        set(trial, scene, key, &value);
    }
    if global.value(&["--exec-path"]).is_some() {
        scene.ask(
            trial,
            "git-exec-path",
            "arg_injection",
            "git would take its own programs from another folder",
        );
    }
    let rest = args.get(global.first..).unwrap_or_default();
    let Some((sub, rest)) = rest.split_first() else { return };
    let mut values = vec!["-c", "--config", "-m", "-x", "--exec", "-C", "-O", "-o"];
    if sub.text == "clone" {
        values.extend(["-u", "--upload-pack", "-b", "--branch", "--depth"]);
    }
    let parsed = parse(rest, Shape { values: &values, ..Shape::default() });
    handed(trial, scene, &sub.text, rest);
    if let Some(folder) = global.value(&["-C"]).filter(|_| matches!(sub.text.as_str(), "init" | "clone")) {
        write(trial, scene, folder);
    }
    match sub.text.as_str() {
        "config" => config(trial, scene, rest),
        "show" | "cat-file" => {
            for file in parsed.operands.iter().filter_map(|object| object.after(':')) {
                read(trial, scene, &file);
            }
        }
        "apply" | "am" => trial.patched |= is_download(trial, scene, parsed.operands.first()),
        "clone" | "fetch" | "pull" | "ls-remote" | "push" | "remote" | "submodule" | "archive"
        | "fetch-pack" => {
            addresses(trial, scene, &sub.text, &parsed);
        }
        "rebase" => {
            for text in parsed.values(&["-x", "--exec"]) {
                chore(trial, scene, text);
            }
        }
        "difftool" | "mergetool" => {
            if let Some(text) = parsed.value(&["-x", "--extcmd"]).filter(|text| !is_helper(trial, text)) {
                scene.ask(
                    trial,
                    "git-extcmd",
                    "arg_injection",
                    format!("it makes git start `{}`", text.shown()),
                );
            }
        }
        "grep" => {
            let pager = rest
                .iter()
                .any(|arg| arg.text.starts_with("-O") || arg.text.starts_with("--open-files-in-pager"));
            if pager {
                scene.ask(
                    trial,
                    "git-pager",
                    "arg_injection",
                    "it makes git start a program with the files it found",
                );
            }
        }
        _ => {}
    }
    losses(trial, scene, &sub.text, rest);
    outputs(trial, scene, &sub.text, rest);
    hand_on(trial, scene, &sub.text, rest);
}

/// `git diff --no-index`, `git hash-object`, `git commit -F`: files that need not be the repository's.
fn handed(trial: &mut Trial<'_>, scene: &Scene<'_>, sub: &str, rest: &[Arg]) {
    let free = rest.iter().any(|arg| arg.text == "--no-index") || sub == "hash-object";
    if free {
        return holding::anywhere(trial, scene, rest);
    }
    if matches!(
        sub,
        "diff" | "grep" | "blame" | "annotate" | "commit" | "tag" | "notes" | "stripspace" | "update-index"
    ) {
        holding::far(trial, scene, rest);
    }
}
