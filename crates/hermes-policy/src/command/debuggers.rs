//! Debuggers: they run what they debug, and they have commands of their own.

use super::args::Arg;
use super::call::judge_words;
use super::model::Class;
use super::scene::Scene;
use super::shells::run_text;
use super::trial::Trial;

/// Options that take a value.
const VALUES: &[&str] = &[
    "-ex",
    "--ex",
    "--eval-command",
    "-iex",
    "--init-eval-command",
    "-x",
    "--command",
    "-ix",
    "-p",
    "--pid",
    "-c",
    "--core",
    "-s",
    "-e",
    "-d",
    "-o",
    "--one-line",
    "-O",
    "-S",
    "--source",
    "--batch-command",
    "-n",
    "-b",
];

/// Options whose value is a command of the debugger.
const COMMANDS: &[&str] =
    &["-ex", "--ex", "--eval-command", "-iex", "--init-eval-command", "-o", "--one-line", "-O"];

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    trial.changes();
    let mut rest = args.iter().enumerate();
    while let Some((place, arg)) = rest.next() {
        let text = arg.text.as_str();
        if text == "--args" || text == "--" {
            return judge_words(trial, scene, args.get(place + 1..).unwrap_or_default());
        }
        let glued = arg.without_prefix("--eval-command=").or_else(|| arg.without_prefix("-ex="));
        if let Some(command) = glued {
            own(trial, scene, &command);
        } else if VALUES.contains(&text) && !is_switch(text, args.get(place + 1)) {
            let value = rest.next().map(|(_, value)| value);
            match value {
                Some(value) if COMMANDS.contains(&text) => own(trial, scene, value),
                Some(value) if matches!(text, "-p" | "--pid") && value.shown().contains("PPID") => {
                    scene.ask(
                        trial,
                        "debug-parent",
                        "policy_tamper",
                        "the parent of this shell is the runtime itself",
                    );
                }
                Some(value) if matches!(text, "-p" | "--pid") => {
                    scene.ask(
                        trial,
                        "debug-process",
                        "credential_access",
                        format!("it looks into process {}", value.shown()),
                    );
                }
                _ => {}
            }
        }
    }
}

/// gdb's `-b` takes a speed, lldb's is a switch that another option may follow.
fn is_switch(option: &str, next: Option<&Arg>) -> bool {
    option == "-b" && next.is_none_or(|next| next.text.starts_with('-'))
}

fn own(trial: &mut Trial<'_>, scene: &Scene<'_>, command: &Arg) {
    let text = command.text.trim();
    let shell = [
        "shell ",
        "!",
        "platform shell ",
        "make ",
        "python ",
        "script ",
        "pi ",
        "call system",
        "call (int)system",
        "call (void)system",
        "guile ",
        "pipe ",
    ]
    .iter()
    .find_map(|word| text.strip_prefix(word));
    if let Some(inner) = shell {
        scene.ask(trial, "debugger-shell", "arg_injection", "it makes the debugger run a command");
        let mark = trial.mark();
        run_text(
            trial,
            scene,
            &Arg::certain(inner.trim_matches(['(', ')', '"', ' '])),
            &[],
            scene.frame.clone(),
        );
        if trial.since(mark) < Class::Deny {
            trial.forget(mark);
            trial.raise(Class::Ask);
        }
    }
}
