//! Editors: what they are told to do on the command line, and the files they open.

use super::access::{read, write};
use super::args::Arg;
use super::judge::judge_text;
use super::model::Class;
use super::scene::Scene;
use super::shells::run_text;
use super::trial::Trial;

/// Options whose value is a command of the editor.
const COMMANDS: &[&str] = &[
    "-c",
    "--cmd",
    "--eval",
    "-eval",
    "--execute",
    "-f",
    "--funcall",
    "-S",
    "-l",
    "--load",
    "-s",
    "-sc",
    "-Esc",
    "-esc",
];

/// Signs that an editor's command starts a program or a script.
const REACHES: &[&str] = &[
    "!",
    "system(",
    "term",
    "shell-command",
    "call-process",
    "start-process",
    "delete-file",
    "delete-directory",
    "py3 ",
    "python",
    "perl ",
    "lua ",
    "luado",
    "jobstart",
    "libcall",
    "writefile(",
    "delete(",
    "so ",
    "source ",
    "make-process",
    "write-region",
    "write-file",
    "append-to-file",
    "delete-",
    "load-file",
    "async-shell-command",
];

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let only_looks =
        matches!(name, "view" | "rview") || args.iter().any(|arg| arg.text == "-R" || arg.text == "-M");
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let text = arg.text.as_str();
        let is_option = COMMANDS.contains(&text)
            || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('c'));
        let glued = arg
            .without_prefix("--eval=")
            .or_else(|| arg.without_prefix("--load="))
            .or_else(|| arg.without_prefix("--cmd="));
        if is_option {
            if let Some(command) = rest.next() {
                editor_command(trial, scene, command);
            }
        } else if let Some(command) = glued {
            editor_command(trial, scene, &command);
        } else if let Some(command) = arg.without_prefix("+") {
            editor_command(trial, scene, &command);
        } else if !text.starts_with('-') && only_looks {
            read(trial, scene, arg);
        } else if !text.starts_with('-') {
            write(trial, scene, arg);
        }
    }
    if scene.is_fed() {
        let fed = scene.input().map(|text| Arg::certain(text.to_owned()));
        if let Some(text) = fed {
            editor_command(trial, scene, &text);
        }
    }
}

fn editor_command(trial: &mut Trial<'_>, scene: &Scene<'_>, command: &Arg) {
    let text = command.text.trim_start_matches(':');
    // `wq!`, `q!`, `e!`: the mark means "even so".
    let insists = text.split('|').all(|part| {
        !part.contains('!') || part.trim().trim_end_matches('!').chars().all(|c| c.is_ascii_lowercase())
    });
    let reaches = REACHES.iter().any(|sign| text.contains(sign) && !(*sign == "!" && insists));
    if command.has_hole() || reaches {
        scene.ask(
            trial,
            "editor-command",
            "arg_injection",
            "it makes the editor start another program or change files by script",
        );
    }
    if reaches {
        super::literals::judge_code(trial, scene, text);
    }
    if let Some((_, shell)) = text.split_once('!') {
        only_denials(trial, scene, shell);
    }
    if let Some(file) = text.strip_prefix("w ").or_else(|| text.strip_prefix("w! ")) {
        write(trial, scene, &Arg::certain(file.split('|').next().unwrap_or(file).trim()));
    }
}

fn only_denials(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &str) {
    let mark = trial.mark();
    run_text(trial, scene, &Arg::certain(text), &[], scene.frame.clone());
    if trial.since(mark) < Class::Deny {
        trial.forget(mark);
    }
}

/// `ed`, `dc`: the script comes in on standard input, and `!` runs a command.
pub(crate) fn line(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    // The operands of `dc` are programs that it reads.
    let edits = name != "dc";
    for file in args.iter().filter(|arg| edits && !arg.text.starts_with('-')) {
        match file.text.strip_prefix('!') {
            Some(text) => {
                scene.ask(trial, "editor-command", "arg_injection", "it makes the editor run a command");
                judge_text(trial, scene, text, scene.frame.clone());
            }
            None => write(trial, scene, file),
        }
    }
    let script = scene.input().unwrap_or("").to_owned();
    for text in script.lines().filter_map(|line| line.split_once('!')).map(|(_, text)| text) {
        scene.ask(trial, "editor-command", "arg_injection", "it makes the editor run a command");
        only_denials(trial, scene, text);
    }
}
