//! Python: code, scripts, and modules that are programs of their own.

use super::args::{Arg, join};
use super::options::{Shape, parse};
use super::ruleset::Language;
use super::scene::Scene;
use super::trial::Trial;
use super::{code, dispatch, interpreters, serving};

/// Python: `-m module` makes it another program.
pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    let module = args.iter().position(|arg| arg.text == "-m");
    let code = args
        .iter()
        .position(|arg| arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains('c'));
    let values = &["-X", "-W", "--check-hash-based-pycs"];
    let first = parse(args, Shape { values, stops: true, ..Shape::default() }).first;
    match module.filter(|place| *place < first && code.is_none_or(|code| code > *place)) {
        Some(place) => {
            let rest = args.get(place + 1..).unwrap_or_default();
            if let Some((module, arguments)) = rest.split_first() {
                run_module(trial, scene, (name, &module.text), arguments);
            }
        }
        None => interpreters::judge(trial, scene, name, args),
    }
}

fn run_module(trial: &mut Trial<'_>, scene: &Scene<'_>, (name, module): (&str, &str), arguments: &[Arg]) {
    trial.changes();
    match module {
        "timeit" | "cProfile" | "profile" | "trace" | "pdb" => {
            let parsed = parse(
                arguments,
                Shape {
                    values: &["-s", "--setup", "-n", "--number", "-r", "--repeat", "-u", "-o"],
                    ..Shape::default()
                },
            );
            let rules = trial.rules;
            let Some(language) = rules.language(name) else { return };
            if module == "pdb" {
                let commands = arguments.iter().zip(arguments.iter().skip(1));
                for (_, text) in commands.filter(|(flag, _)| matches!(flag.text.as_str(), "-c" | "--command"))
                {
                    debugger_command(trial, scene, language, &text.text);
                }
            }
            if module == "timeit" {
                // Names that the set-up imports are used in the statement.
                let setup = parsed
                    .values(&["-s", "--setup"])
                    .map(|arg| arg.text.clone())
                    .collect::<Vec<_>>()
                    .join("\n");
                let statement = join(&parsed.operands).text;
                code::judge(trial, scene, language, &format!("{setup}\n{statement}"));
            }
        }
        "pip" | "pip3" | "uv" | "poetry" | "pipenv" | "twine" | "ansible" | "awscli" => {
            dispatch::judge(trial, scene, module, arguments);
        }
        "http.server" | "SimpleHTTPServer" => serve(trial, scene, arguments),
        _ if module.starts_with("hermes") => dispatch::judge(trial, scene, "hermes", arguments),
        _ => {
            super::holding::far(trial, scene, arguments);
            super::generic::outputs(trial, scene, arguments);
        }
    }
}

/// What the debugger of Python knows as its own commands; anything else is code that it runs.
const PDB: &[&str] = &[
    "h",
    "help",
    "w",
    "where",
    "bt",
    "d",
    "down",
    "u",
    "up",
    "b",
    "break",
    "tbreak",
    "cl",
    "clear",
    "disable",
    "enable",
    "ignore",
    "condition",
    "s",
    "step",
    "n",
    "next",
    "unt",
    "until",
    "r",
    "return",
    "c",
    "cont",
    "continue",
    "j",
    "jump",
    "l",
    "list",
    "ll",
    "longlist",
    "a",
    "args",
    "p",
    "pp",
    "whatis",
    "source",
    "display",
    "undisplay",
    "q",
    "quit",
    "exit",
    "run",
    "restart",
    "retval",
    "rv",
];

/// `pdb -c`: a command of the debugger, or code in its place.
fn debugger_command(trial: &mut Trial<'_>, scene: &Scene<'_>, language: &Language, text: &str) {
    let code = text.trim_start().trim_start_matches('!');
    let (first, rest) = code.trim_start().split_once(' ').unwrap_or((code, ""));
    if !text.trim_start().starts_with('!') && PDB.contains(&first.trim()) {
        return code::judge(trial, scene, language, rest);
    }
    code::judge(trial, scene, language, code);
    let reason = "`-c` makes the debugger run code of somebody's choice";
    scene.ask(trial, "debugger-code", "arg_injection", reason);
}

/// A server of files shows everybody who can reach it what is in the folder.
fn serve(trial: &mut Trial<'_>, scene: &Scene<'_>, arguments: &[Arg]) {
    let values = &["-d", "--directory", "-b", "--bind", "-p", "--protocol"];
    let parsed = parse(arguments, Shape { values, ..Shape::default() });
    let folder = parsed.value(&["-d", "--directory"]).cloned().unwrap_or_else(|| Arg::certain("."));
    serving::folder_shown(trial, scene, &folder);
}
