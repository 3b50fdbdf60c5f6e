//! Work that git hands on to other programs.

use crate::command::args::{Arg, base_name, join};
use crate::command::call::judge_words;
use crate::command::model::Class;
use crate::command::scene::Scene;
use crate::command::shells::run_text;
use crate::command::trial::Trial;

/// `bisect run`, `submodule foreach`: the rest is a command.
pub(super) fn hand_on(trial: &mut Trial<'_>, scene: &Scene<'_>, sub: &str, rest: &[Arg]) {
    let words: Vec<&Arg> = rest.iter().filter(|arg| !arg.text.starts_with("--")).collect();
    let verb = words.first().map(|arg| arg.text.as_str()).unwrap_or_default();
    let start = rest.iter().position(|arg| arg.text == verb).map_or(rest.len(), |place| place + 1);
    let inner = rest.get(start..).unwrap_or_default();
    let inner = match inner.first() {
        Some(first) if first.text == "--recursive" || first.text == "--quiet" => {
            inner.get(1..).unwrap_or_default()
        }
        _ => inner,
    };
    match (sub, verb) {
        ("submodule", "foreach") if inner.len() == 1 => {
            inner.iter().for_each(|text| chore(trial, scene, text))
        }
        ("submodule", "foreach") | ("bisect", "run") => {
            if inner.first().is_some_and(|program| {
                trial.rules.lists("chores", base_name(&program.text)) || program.text.starts_with("./")
            }) {
                return judge_words(trial, scene, inner);
            }
            chore(trial, scene, &join(inner));
        }
        ("filter-branch", _) => {}
        _ => {}
    }
}

/// A build or a test at every step is everyday; anything else is a launcher.
pub(super) fn chore(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &Arg) {
    let mark = trial.mark();
    run_text(trial, scene, text, &[], scene.frame.clone());
    let class = trial.since(mark);
    let program = text.text.split_whitespace().next().unwrap_or("");
    let everyday = trial.rules.lists("chores", base_name(program)) || program.starts_with("./");
    if class < Class::Ask && !everyday {
        scene.ask(trial, "git-exec", "arg_injection", format!("it makes git start `{}`", text.shown()));
    }
}
