//! Calls that only print: help, versions, rehearsals.

use super::args::Arg;
use super::ruleset::Family;
use super::trial::Trial;

/// Programs that take a whole command, so that a later `--help` belongs to that command.
pub(super) fn hands_on(trial: &Trial<'_>, name: &str, args: &[Arg]) -> bool {
    let family = matches!(
        trial.rules.family(name),
        Some(
            Family::Shell
                | Family::Eval
                | Family::Source
                | Family::Trap
                | Family::Alias
                | Family::Sudo
                | Family::Env
                | Family::Xargs
                | Family::Parallel
                | Family::Find
                | Family::FindFast
                | Family::Ssh
                | Family::Talker
                | Family::Sql
                | Family::Mongo
                | Family::Python
                | Family::PowerShell
                | Family::WindowsShell
        )
    );
    let first = args.first().map(|arg| arg.text.as_str()).unwrap_or_default();
    let launches = trial.rules.launchers(name).any(|launcher| {
        launcher.sub.is_empty() || launcher.sub.iter().any(|sub| sub.split(' ').next() == Some(first))
    });
    let container = matches!(trial.rules.family(name), Some(Family::Container))
        && matches!(first, "run" | "create" | "container");
    family || launches || container || trial.rules.language(name).is_some()
}

pub(crate) fn only(trial: &Trial<'_>, name: &str, args: &[Arg]) -> bool {
    let [first, ..] = args else { return false };
    if matches!(first.text.as_str(), "--help" | "--version" | "-help" | "--usage" | "-version") {
        return true;
    }
    let alone = args.len() == 1;
    if alone && matches!(first.text.as_str(), "help" | "version" | "-?" | "-V" | "/?") {
        return true;
    }
    if name == "command" && matches!(first.text.as_str(), "-v" | "-V" | "-pv") {
        return true;
    }
    if hands_on(trial, name, args) {
        return false;
    }
    // `aws ec2 terminate-instances help`.
    let asks_last = args.last().is_some_and(|last| last.text == "help")
        && matches!(name, "aws" | "awslocal" | "aws2" | "oci");
    if asks_last && args.iter().all(Arg::is_certain) {
        return true;
    }
    if first.text == "help" && args.iter().all(Arg::is_certain) && trial.rules.program(name).is_some() {
        return true;
    }
    let before_dashes = args.iter().take_while(|arg| arg.text != "--");
    // `tool delete -h` is help; `shutdown -h` and `dig -h` are not.
    let last_is_h = args.len() == 2 && args.last().is_some_and(|arg| arg.text == "-h");
    let words = trial.rules.program(name).is_some_and(|program| program.words);
    before_dashes
        .into_iter()
        .any(|arg| arg.is_certain() && (arg.text == "--help" || (words && arg.text == "-help")))
        || (last_is_h
            && !first.text.starts_with('-')
            && trial.rules.program(name).is_some_and(|p| !p.read_only.is_empty()))
}
