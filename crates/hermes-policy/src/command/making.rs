//! `make` and the other runners of named tasks.

use super::args::Arg;
use super::launched::assignment;
use super::options::{Shape, parse};
use super::place::Kind;
use super::scene::Scene;
use super::shells::run_text;
use super::trial::Trial;

/// Targets that reach beyond the workspace by their very name.
const FAR: &[&str] = &[
    "install",
    "uninstall",
    "deploy",
    "publish",
    "release",
    "destroy",
    "nuke",
    "flash",
    "provision",
    "undeploy",
    "rollback",
    "teardown",
    "wipe",
];

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let values = &[
        "-f",
        "--file",
        "--makefile",
        "-C",
        "--directory",
        "-I",
        "--include-dir",
        "-o",
        "-W",
        "-j",
        "-l",
        "--eval",
        "-E",
    ];
    // `-j` may stand alone.
    let args: Vec<Arg> = args.iter().filter(|arg| arg.text != "-j").cloned().collect();
    let parsed = parse(&args, Shape { values, ..Shape::default() });
    for text in parsed.values(&["--eval", "-E"]) {
        scene.ask(trial, "make-eval", "arg_injection", "it gives make rules on the command line");
        if let Some((_, command)) = text.text.split_once("$(shell ") {
            let command = command.trim_end_matches(')');
            run_text(trial, scene, &Arg::certain(command), &[], scene.frame.clone());
        }
        // A rule with its recipe on one line: `target: ; command`.
        if let Some((_, recipe)) = text.text.split_once(';') {
            run_text(
                trial,
                scene,
                &Arg::certain(recipe.trim_start_matches(['@', '-'])),
                &[],
                scene.frame.clone(),
            );
        }
    }
    if parsed.has_exactly(&[
        "-n",
        "--just-print",
        "--dry-run",
        "--recon",
        "-q",
        "--question",
        "-p",
        "--print-data-base",
    ]) {
        return;
    }
    trial.changes();
    if let Some(file) = parsed.value(&["-f", "--file", "--makefile"]) {
        let place = scene.locate(trial, file);
        if file.text == "-" || file.text == "/dev/stdin" || file.has_hole() {
            scene.ask(trial, "make-input", "unknown", "make runs rules that come in through a pipe");
            let recipes = scene.input().map(recipes).unwrap_or_default();
            recipes.iter().for_each(|line| run_text(trial, scene, line, &[], scene.frame.clone()));
        } else if matches!(place.kind, Kind::Temp | Kind::BelowHome | Kind::Elsewhere) {
            scene.ask(
                trial,
                "make-foreign",
                "arg_injection",
                format!("the rules come from {}", file.shown()),
            );
        }
    }
    let mut staged = false;
    for (name, value) in parsed.operands.iter().filter_map(assignment) {
        if matches!(name.as_str(), "SHELL" | ".SHELLFLAGS" | "MAKEFLAGS") {
            scene.ask(
                trial,
                "make-shell",
                "arg_injection",
                format!("make would run every recipe with `{}`", value.shown()),
            );
        }
        let inside = scene.locate(trial, &value).is_writable();
        staged |= matches!(name.as_str(), "DESTDIR" | "PREFIX" | "prefix") && inside;
        super::assignments::one(trial, scene, &name, &value);
    }
    let targets = parsed.operands.iter().filter(|arg| assignment(arg).is_none());
    for target in targets {
        if FAR.iter().any(|far| target.text == *far) && !staged {
            let reason =
                format!("the target `{}` usually changes something outside the workspace", target.text);
            scene.ask(trial, "make-target", "outside_workspace", reason);
        }
    }
}

/// The commands of a makefile: what stands behind a tab, or behind `target: ;`.
fn recipes(text: &str) -> Vec<Arg> {
    let command = |line: &str| Some(line.trim_start_matches(['\t', ' ', '@', '-', '+']).to_owned());
    let found = text.lines().filter_map(|line| match line.strip_prefix('\t') {
        Some(recipe) => command(recipe),
        None => line
            .split_once(';')
            .filter(|(front, _)| front.contains(':'))
            .and_then(|(_, recipe)| command(recipe)),
    });
    found.take(256).map(Arg::certain).collect()
}
