//! From a command to the text it prints.

use super::super::model::{Command, Script, Word};
use super::super::streams;
use super::echo::printf;
use super::{bases, echo, filter, printer, sed, tr};

/// The exact text that a command prints, with what it reads through pipes and redirections, if that is
/// certain.
pub fn static_output(script: &Script, command: usize) -> Option<String> {
    command_output(script.commands.get(command)?)
}

pub(in crate::shell) fn command_output(command: &Command) -> Option<String> {
    if command.redirects.iter().any(streams::is_output) {
        return None;
    }
    if command.words.is_empty() {
        // The redirections of a group stand for what they put on its input.
        let group = command.assignments.is_empty();
        return if group { command.input.as_deref().map(str::to_owned) } else { Some(String::new()) };
    }
    // Most programs are none of these: that is found out before anything is copied.
    let program = command.words.first()?.literal()?;
    let name = program.rsplit('/').next().unwrap_or(&program);
    if !FOLLOWED.contains(&name) && !printer::knows(name) {
        return None;
    }
    let words: Vec<String> = command.words.iter().map(Word::literal).collect::<Option<_>>()?;
    program_output(&words, command.input.as_deref())
}

/// Programs whose output is followed, interpreters aside.
const FOLLOWED: [&str; 35] = [
    "command", "builtin", "exec", "busybox", "toybox", "env", "echo", "printf", "true", ":", "which", "type",
    "basename", "dirname", "readlink", "realpath", "base64", "base32", "basenc", "gbase64", "openssl", "xxd",
    "tr", "sed", "gsed", "cat", "tee", "rev", "tac", "head", "tail", "cut", "fold", "sort", "uniq",
];

fn program_output(words: &[String], input: Option<&str>) -> Option<String> {
    let (program, args) = words.split_first()?;
    let name = program.rsplit('/').next().unwrap_or(program);
    match name {
        "command" | "builtin" | "exec" | "busybox" | "toybox" => match args.first().map(String::as_str) {
            Some("-v" | "-V") if name == "command" => echo::which(args.get(1..)?),
            Some(first) if first.starts_with('-') => None,
            _ => program_output(args, input),
        },
        "env" if args.first().is_some_and(|first| !first.starts_with('-') && !first.contains('=')) => {
            program_output(args, input)
        }
        "echo" => echo::echo(args),
        "printf" => printf(args),
        "true" | ":" => Some(String::new()),
        "which" => echo::which(args),
        "type" if args.first().is_some_and(|first| matches!(first.as_str(), "-p" | "-P")) => {
            echo::which(args.get(1..)?)
        }
        "basename" | "dirname" => echo::path_part(name, args),
        "readlink" | "realpath" => echo::top_of_tree(name, args),
        "base64" | "base32" | "basenc" | "gbase64" => bases::coreutils(name, args, input?),
        "openssl" => bases::openssl(args, input?),
        "xxd" => bases::xxd(args, input?),
        "tr" => tr::tr(args, input?),
        "sed" | "gsed" => sed::sed(args, input?),
        "cat" | "tee" | "rev" | "tac" | "head" | "tail" | "cut" | "fold" | "sort" | "uniq" => {
            filter::filter(name, args, input?)
        }
        "python3" | "python" if args.first().is_some_and(|first| first == "-m") => {
            match args.get(1)?.as_str() {
                "base64" => bases::coreutils("base64", args.get(2..)?, input?),
                _ => None,
            }
        }
        name => printer::output(name, args),
    }
}
