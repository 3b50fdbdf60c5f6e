//! Terminals and their multiplexers: a command in another window is still a command.

use super::args::{Arg, join};
use super::call::judge_words;
use super::model::Class;
use super::options::{Shape, parse};
use super::scene::Scene;
use super::shells::run_text;
use super::trial::Trial;

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    trial.changes();
    match name {
        "tmux" => tmux(trial, scene, args),
        "screen" => {
            let values = &["-S", "-c", "-e", "-h", "-s", "-t", "-T", "-p", "-r", "-x", "-X"];
            let parsed = parse(args, Shape { values, stops: true, ..Shape::default() });
            if let Some(command) =
                parsed.value(&["-X"]).filter(|command| matches!(command.text.as_str(), "stuff" | "exec"))
            {
                let text = join(&parsed.operands);
                scene.ask(
                    trial,
                    "type-elsewhere",
                    "arg_injection",
                    format!("`screen -X {}` types into another session", command.text),
                );
                return only_worst(trial, scene, &text);
            }
            let rest = args.get(parsed.first..).unwrap_or_default();
            judge_words(trial, scene, rest);
        }
        _ => window(trial, scene, name, args),
    }
}

/// `xterm -e …`, `gnome-terminal -- …`: a window that nobody sees.
fn window(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let place = args.iter().position(|arg| {
        matches!(arg.text.as_str(), "-e" | "-x" | "--" | "--command" | "--execute" | "--noclose")
    });
    let Some(place) = place else { return };
    let rest = args.get(place + 1..).unwrap_or_default();
    scene.ask(trial, "window", "arg_injection", format!("{name} runs a command in a window of its own"));
    match rest {
        [text] => only_worst(trial, scene, text),
        words => only_worst(trial, scene, &join(words)),
    }
}

fn only_worst(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &Arg) {
    let mark = trial.mark();
    run_text(trial, scene, text, &[], scene.frame.clone());
    if trial.since(mark) < Class::Deny {
        trial.forget(mark);
        trial.raise(Class::Ask);
    }
}

fn tmux(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let global =
        parse(args, Shape { values: &["-L", "-S", "-f", "-c", "-T"], stops: true, ..Shape::default() });
    if let Some(text) = global.value(&["-c"]) {
        return run_text(trial, scene, text, &[], scene.frame.clone());
    }
    let rest = args.get(global.first..).unwrap_or_default();
    let Some((sub, rest)) = rest.split_first() else { return };
    let values = &["-s", "-n", "-t", "-c", "-F", "-x", "-y", "-e", "-l", "-p", "-b", "-T"];
    let parsed = parse(rest, Shape { values, stops: true, ..Shape::default() });
    match sub.text.as_str() {
        "new" | "new-session" | "new-window" | "neww" | "split-window" | "splitw" | "respawn-pane"
        | "respawn-window" | "popup" | "display-popup" => match parsed.operands.as_slice() {
            [] => {}
            [text] => run_text(trial, scene, text, &[], scene.frame.clone()),
            words => judge_words(trial, scene, words),
        },
        "send-keys" | "send" => {
            let typed: Vec<Arg> = parsed
                .operands
                .iter()
                .filter(|arg| !matches!(arg.text.as_str(), "Enter" | "C-m" | "C-c" | "C-j"))
                .cloned()
                .collect();
            if !typed.is_empty() {
                run_text(trial, scene, &join(&typed), &[], scene.frame.clone());
            }
        }
        "run-shell" | "run" | "if-shell" | "pipe-pane" => {
            for text in &parsed.operands {
                run_text(trial, scene, text, &[], scene.frame.clone());
            }
        }
        "set-hook" | "bind-key" | "bind" | "set-option" | "set" => {
            let text = join(&parsed.operands).text;
            if let Some((_, command)) =
                text.split_once("run-shell ").or_else(|| text.split_once("default-command "))
            {
                scene.ask(trial, "tmux-hook", "persistence", "it makes tmux run a command later");
                only_worst(trial, scene, &Arg::certain(command));
            }
        }
        "kill-server" => scene.ask(trial, "kill-sessions", "process_kill", "it ends every session of tmux"),
        _ => {}
    }
}
