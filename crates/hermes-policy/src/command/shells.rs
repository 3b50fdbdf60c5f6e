//! Shells, `eval` and `source`: text that becomes commands.

use super::access;
use super::args::{Arg, HOLE, join};
use super::hidden::{self, Runner};
use super::options::{Shape, parse};
use super::place::Kind;
use super::reading;
use super::scene::{Frame, Scene};
use super::trial::Trial;

/// Unknown parts that cannot become commands: numbers, names of users and folders.
const HARMLESS: &[&str] = &[
    "$?",
    "$$",
    "$!",
    "$#",
    "$RANDOM",
    "$SECONDS",
    "$UID",
    "$EUID",
    "$PPID",
    "$LINENO",
    "$USER",
    "$LOGNAME",
    "$HOSTNAME",
    "$PATH",
    "$(pwd)",
    "$(nproc)",
    "$(whoami)",
    "$(hostname)",
    "$(id -u)",
    "$(id -g)",
    "$(date",
    "$(git rev-parse",
    "$(git describe",
    "`pwd`",
    "$(arch)",
    "$(uname",
];

/// What a shell was asked to run.
enum Asked<'a> {
    Text(&'a Arg, &'a [Arg]),
    /// With the words behind it.
    File(&'a Arg, &'a [Arg]),
    Input(&'a [Arg]),
    Nothing,
}

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    match asked(trial, scene, name, args) {
        Asked::Text(text, arguments) => {
            hidden::decoded_inside(trial, scene);
            let text = if name == "zsh" { &named_by_equals(text) } else { text };
            run_text(trial, scene, text, arguments, scene.frame.clone());
        }
        Asked::File(file, arguments) => {
            trial.changes();
            hidden::run_named(trial, scene, file, arguments);
        }
        Asked::Input(arguments) => {
            trial.changes();
            hidden::run_input(trial, scene, Runner::Shell, arguments);
        }
        Asked::Nothing => {}
    }
}

/// In zsh `=rm` is the path of the program `rm`; without the sign every shell reads the same.
fn named_by_equals(text: &Arg) -> Arg {
    let mut plain = String::with_capacity(text.text.len());
    let mut letters = text.text.chars().peekable();
    let mut begins = true;
    while let Some(letter) = letters.next() {
        let names = letter == '=' && letters.peek().is_some_and(char::is_ascii_alphabetic);
        if !(begins && names) {
            plain.push(letter);
        }
        begins = letter.is_whitespace() || ";&|({`".contains(letter);
    }
    Arg { text: plain, ..text.clone() }
}

fn asked<'a>(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &'a [Arg]) -> Asked<'a> {
    let mut text = false;
    let mut input = false;
    let mut rest = args;
    while let Some((arg, after)) = rest.split_first() {
        let word = arg.text.as_str();
        if word == "--" || word == "-" {
            rest = after;
            break;
        }
        if !word.starts_with(['-', '+']) {
            break;
        }
        rest = after;
        match word {
            "--rcfile" | "--init-file" => {
                rest = after.get(1..).unwrap_or_default();
                scene.ask(trial, "shell-startup", "arg_injection", "the shell first runs another file");
            }
            "--command" => text = true,
            _ if word.starts_with("--command=") => return Asked::Text(arg, &[]),
            _ if word.starts_with("--") => {}
            _ => {
                // `fish -c` and `nu -c` have it too; `-o` and `-O` take a word.
                text |= word.contains('c') && word.starts_with('-');
                input |= word.contains('s');
                if word.contains('n') && word.starts_with('-') && name != "fish" && !text {
                    return Asked::Nothing;
                }
                let values = word.matches(['o', 'O']).count();
                rest = rest.get(values..).unwrap_or_default();
            }
        }
    }
    match rest.split_first() {
        Some((first, arguments)) if text => Asked::Text(first, arguments),
        Some((first, arguments)) if !input => Asked::File(first, arguments),
        _ if text => Asked::Nothing,
        _ => Asked::Input(rest),
    }
}

/// Shell text that a program was given as a word.
pub(crate) fn run_text(
    trial: &mut Trial<'_>,
    scene: &Scene<'_>,
    text: &Arg,
    arguments: &[Arg],
    frame: Frame,
) {
    if text.has_hole() {
        let mut open = false;
        for hint in &text.hints {
            if hidden::is_hook(trial, hint) || HARMLESS.iter().any(|known| hint.starts_with(known)) {
                continue;
            }
            match reading::inside(hint).filter(|_| text.is_hole()) {
                Some(inner) => hidden::run_substituted(trial, scene, inner),
                None => open = true,
            }
        }
        if open {
            let reason = "text that only running would tell becomes a command";
            scene.ask(trial, "dynamic-command", "unknown", reason);
        }
    }
    // What is known of the text is still judged; the unknown parts stay unknown.
    let known = text.text.replace(HOLE, "${__unknown__}");
    if text.is_hole() && arguments.is_empty() {
        return;
    }
    super::judge::judge_with_arguments(trial, scene, &known, arguments, frame);
}

/// `eval` joins its words; the reader has put what they would run behind it already.
pub(crate) fn eval(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let text = join(args);
    hidden::decoded_inside(trial, scene);
    if !text.has_hole() {
        return;
    }
    run_text(trial, scene, &text, &[], scene.frame.clone());
}

/// `.` and `source`.
pub(crate) fn source(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    trial.changes();
    let Some((file, arguments)) = args.split_first() else { return };
    if file.has_hole() && !file.hints.iter().any(|hint| reading::inside(hint).is_some()) {
        let tail = file.text.rsplit(HOLE).next().unwrap_or("");
        // `"$NVM_DIR/nvm.sh"` is a file of a known name in a folder that is not.
        if !tail.starts_with('/') {
            scene.ask(trial, "source-unknown", "unknown", "only running would tell which file is run");
        }
        return;
    }
    if scene.locate(trial, file).kind != Kind::Workspace {
        access::read(trial, scene, file);
    }
    hidden::run_named(trial, scene, file, arguments);
}

/// Restricted or remote shells that take a whole command as `-c`, such as `su -c`.
pub(crate) fn session(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let frame = Frame { privileged: true, ..scene.frame.clone() };
    let mark = trial.mark();
    let mut texts = 0;
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let glued = arg.without_prefix("--command=").or_else(|| arg.without_prefix("--session-command="));
        let text = match arg.text.as_str() {
            "-c" | "--command" | "--session-command" => rest.next().cloned(),
            _ => glued,
        };
        if let Some(text) = text {
            texts += 1;
            run_text(trial, scene, &text, &[], frame.clone());
        }
    }
    // `runuser -u name -- command`, `sg group command`.
    let by_words = matches!(name, "runuser" | "sg");
    if by_words && texts == 0 {
        let parsed = parse(
            args,
            Shape { values: &["-u", "--user", "-g", "--group", "-G", "-s"], stops: true, ..Shape::default() },
        );
        let words = args.get(parsed.first..).unwrap_or_default();
        let words = if name == "sg" { words.get(1..).unwrap_or_default() } else { words };
        texts = words.len();
        let inner =
            Scene { script: scene.script, index: scene.index, command: scene.command, frame: frame.clone() };
        super::call::judge_words(trial, &inner, words);
    }
    let inner = trial.since(mark);
    // Even looking is done with the eyes of somebody who may see everything.
    if texts == 0 || inner <= super::model::Class::Safe {
        let reason = format!("{name} runs commands as another user");
        scene.ask(trial, "other-user", "priv_esc", reason);
    }
}
