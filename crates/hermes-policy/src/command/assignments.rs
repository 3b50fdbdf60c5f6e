//! Variables that steer what a program loads or starts.

use super::args::Arg;
use super::launching::is_helper;
use super::model::Class;
use super::ruleset::{Family, VariableKind};
use super::scene::Scene;
use super::shells::run_text;
use super::trial::Trial;
use super::urls;

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>) {
    let rules = trial.rules;
    // Most variables steer nothing, and their values may be long.
    let known = scene.command.assignments.iter().filter(|given| rules.variable(&given.name).is_some());
    for assignment in known {
        one(trial, scene, &assignment.name, &Arg::from_word(&assignment.value));
    }
}

/// One `NAME=value`, wherever it was written: in front of a command, behind `env`, in `export`.
pub(crate) fn one(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, value: &Arg) {
    let rules = trial.rules;
    let Some(variable) = rules.variable(name) else { return };
    let matched = variable.value.as_ref().is_some_and(|pattern| pattern.is_match(&value.text));
    let steers = match variable.kind {
        VariableKind::Always => !value.text.is_empty() && value.text != "/dev/null" || matched,
        VariableKind::Command => !is_helper(trial, value) && !is_tool_of_build(trial, scene, name, value),
        VariableKind::Search => {
            let idle = is_library_path(name) && is_idle(trial, scene) && !value.text.is_empty();
            idle || value.text.split(':').any(|folder| anybody_writes(name, folder, value))
        }
        VariableKind::Matching => matched,
        VariableKind::Registry => !urls::is_trusted_registry(&value.text),
    };
    if !steers {
        return;
    }
    let reason = format!("{name}={}: {}", value.shown(), variable.reason);
    scene.ask(trial, &variable.name, &variable.category, reason);
    if (variable.kind == VariableKind::Command || name == "PROMPT_COMMAND") && value.is_certain() {
        let mark = trial.mark();
        run_text(trial, scene, value, &[], scene.frame.clone());
        if trial.since(mark) < Class::Deny {
            trial.forget(mark);
            trial.raise(Class::Ask);
        }
    }
}

/// `CC=clang`, `PYTHON=python3.12`, `RUSTC_WRAPPER=sccache`: a plain name of a tool.
fn is_tool_of_build(trial: &Trial<'_>, scene: &Scene<'_>, name: &str, value: &Arg) -> bool {
    if !trial.rules.lists("tool_variables", name) && !name.ends_with("_WRAPPER") && !name.ends_with("_LINKER")
    {
        return false;
    }
    // `CC=$CC`, or a script that chooses its own tool.
    if value.has_hole() {
        let same =
            |hint: &String| trial.rules.lists("tool_variables", hint.trim_matches(['$', '{', '}', '"']));
        return scene.command.words.is_empty() || value.hints.iter().all(same);
    }
    let plain = |word: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.+=,@:".contains(c))
    };
    let mut words = value.text.split_whitespace();
    words
        .next()
        .is_some_and(|program| plain(program) && !matches!(program, "sh" | "bash" | "eval" | "rm" | "env"))
        && words.all(|word| word.starts_with('-') || plain(word))
}

fn is_library_path(name: &str) -> bool {
    name == "LD_LIBRARY_PATH" || name.starts_with("DYLD_")
}

/// A program of the system that needs no libraries but its own: `ls`, `cat`, `id`.
fn is_idle(trial: &Trial<'_>, scene: &Scene<'_>) -> bool {
    let program = scene.command.words.first().and_then(|word| word.literal());
    program.is_some_and(|program| {
        !program.contains('/')
            && matches!(
                trial.rules.family(&program),
                Some(Family::Reader | Family::Looker | Family::Talker | Family::Copy | Family::Sudo)
            )
    })
}

/// A folder where anybody, or whoever wrote the current folder, could put a program.
fn anybody_writes(name: &str, folder: &str, value: &Arg) -> bool {
    let shared = ["/tmp", "/var/tmp", "/dev/shm", "/run/user"];
    // Programs found in the current folder would stand in for those of the system.
    let here = folder == "." || (folder.is_empty() && !value.text.is_empty() && value.hints.is_empty());
    (here && name == "PATH") || shared.iter().any(|root| super::place::is_below(folder, root))
}
