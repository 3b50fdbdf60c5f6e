//! What a launcher would start, told from its words alone: the one answer for the judge and for whatever else
//! looks for calls inside calls.

use std::borrow::Cow;

use super::args::{Arg, join};
use super::options::{Parsed, Shape, parse};
use super::ruleset::{Family, Launcher, LauncherKind, Rules};

/// A program inside another one's words.
#[derive(Debug)]
pub(crate) enum Launched {
    /// The program and its words.
    Words(Vec<Arg>),
    /// Shell text.
    Text(Arg),
}

/// Options of `sudo` and `doas` that take a value.
pub(crate) const SUDO_VALUES: &[&str] = &[
    "-u",
    "--user",
    "-g",
    "--group",
    "-h",
    "--host",
    "-p",
    "--prompt",
    "-C",
    "--close-from",
    "-D",
    "--chdir",
    "-R",
    "--chroot",
    "-r",
    "--role",
    "-t",
    "--type",
    "-T",
    "--command-timeout",
    "-U",
    "--other-user",
    "-a",
    "-c",
];
pub(crate) const ENV_VALUES: &[&str] =
    &["-u", "--unset", "-C", "--chdir", "-S", "--split-string", "-a", "--argv0"];
pub(crate) const XARGS_VALUES: &[&str] = &[
    "-a",
    "--arg-file",
    "-d",
    "--delimiter",
    "-E",
    "-I",
    "-L",
    "--max-lines",
    "-n",
    "--max-args",
    "-P",
    "--max-procs",
    "-s",
    "--max-chars",
    "-R",
    "-S",
    "-J",
    "--process-slot-var",
];
/// Options of `find` behind which a command stands.
const FIND_EXEC: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];
const FAST_EXEC: &[&str] = &["-x", "-X", "--exec", "--exec-batch"];

/// What a call of this program starts; nothing if it is no launcher.
pub(crate) fn launched(rules: &Rules, name: &str, args: &[Arg]) -> Vec<Launched> {
    for launcher in rules.launchers(name) {
        if let Some(rest) = behind_sub(launcher, args) {
            return by_launcher(launcher, rest, &parsed(launcher, rest));
        }
    }
    match rules.family(name) {
        Some(Family::Sudo) => words(skip_assignments(behind_options(args, SUDO_VALUES))),
        Some(Family::Env) => env(args),
        Some(Family::Xargs) => words(behind_options(args, XARGS_VALUES)),
        Some(Family::Find) => executed(args, FIND_EXEC),
        Some(Family::FindFast) => executed(args, FAST_EXEC),
        Some(Family::Eval) => vec![Launched::Text(join(args))],
        Some(Family::Shell | Family::SessionShell) => {
            text_of_shell(args).map(Launched::Text).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The words behind the subcommand that launches, if this is it.
pub(super) fn behind_sub<'a>(launcher: &Launcher, args: &'a [Arg]) -> Option<&'a [Arg]> {
    if launcher.sub.is_empty() {
        return Some(args);
    }
    let folders = launcher.folder_options();
    let shape = Shape { values: &folders, more: &launcher.values, words: launcher.words, stops: true };
    launcher.sub.iter().find_map(|sub| {
        let mut rest = args;
        for word in sub.split(' ') {
            let parsed = parse(rest, shape);
            if parsed.word(0) != Some(word) {
                return None;
            }
            rest = rest.get(parsed.first + 1..)?;
        }
        Some(rest)
    })
}

/// The folder that a launcher was told to work in, in front of its subcommand or behind it.
pub(super) fn folder<'a>(launcher: &Launcher, args: &[Arg], behind: &'a Parsed) -> Option<Cow<'a, Arg>> {
    let folders = launcher.folder_options();
    if folders.is_empty() {
        return None;
    }
    let shape = Shape { values: &folders, more: &launcher.values, words: launcher.words, stops: true };
    let front = || parse(args, shape).value(&folders).cloned().map(Cow::Owned);
    behind.value(&folders).map(Cow::Borrowed).or_else(front)
}

/// A launcher's own options, told from the words it launches.
pub(super) fn parsed(launcher: &Launcher, args: &[Arg]) -> Parsed {
    use LauncherKind::{AfterDashes, AfterOption, Options};
    let texts: Vec<&str> = launcher.text.iter().chain(&launcher.folder).map(String::as_str).collect();
    let stops = !matches!(launcher.kind, Options | AfterDashes | AfterOption);
    parse(args, Shape { values: &texts, more: &launcher.values, words: launcher.words, stops })
}

pub(super) fn by_launcher(launcher: &Launcher, args: &[Arg], parsed: &Parsed) -> Vec<Launched> {
    use LauncherKind::{AfterDashes, AfterOption, Options};
    let texts: Vec<&str> = launcher.text.iter().map(String::as_str).collect();
    let given = parsed.values(&texts).filter(|_| launcher.kind != AfterOption);
    let mut found: Vec<Launched> = given
        .map(|text| match launcher.kind {
            // The option names the program, and its arguments stand behind `--`.
            AfterDashes => {
                Launched::Words(std::iter::once(text).chain(behind_dashes(args)).cloned().collect())
            }
            _ => Launched::Text(text.clone()),
        })
        .collect();
    if found.is_empty() || !matches!(launcher.kind, Options | AfterDashes) {
        found.extend(by_kind(launcher, args, parsed));
    }
    found
}

fn by_kind(launcher: &Launcher, args: &[Arg], parsed: &Parsed) -> Vec<Launched> {
    let operands = || parsed.operands.get(launcher.skip..).unwrap_or_default();
    match launcher.kind {
        LauncherKind::Options => Vec::new(),
        LauncherKind::AfterDashes => words(behind_dashes(args)),
        LauncherKind::AfterOption => {
            let place = args.iter().position(|arg| launcher.text.contains(&arg.text));
            words(place.and_then(|place| args.get(place + 1..)).unwrap_or_default())
        }
        LauncherKind::Words => {
            let rest = args.get(parsed.first..).unwrap_or_default().get(launcher.skip..).unwrap_or_default();
            match skip_assignments(rest) {
                // `flock file -c text`: the option may stand behind the operands.
                [option, text, ..] if launcher.text.contains(&option.text) => {
                    vec![Launched::Text(text.clone())]
                }
                [dashes, rest @ ..] if dashes.text == "--" => words(rest),
                rest => words(rest),
            }
        }
        LauncherKind::Joined if operands().is_empty() => Vec::new(),
        LauncherKind::Joined => vec![Launched::Text(join(operands()))],
        LauncherKind::Each => operands().iter().cloned().map(Launched::Text).collect(),
    }
}

fn words(rest: &[Arg]) -> Vec<Launched> {
    if rest.is_empty() { Vec::new() } else { vec![Launched::Words(rest.to_vec())] }
}

fn behind_options<'a>(args: &'a [Arg], values: &[&str]) -> &'a [Arg] {
    let parsed = parse(args, Shape { values, stops: true, ..Shape::default() });
    args.get(parsed.first..).unwrap_or_default()
}

fn behind_dashes(args: &[Arg]) -> &[Arg] {
    let place = args.iter().position(|arg| arg.text == "--");
    place.and_then(|place| args.get(place + 1..)).unwrap_or_default()
}

fn env(args: &[Arg]) -> Vec<Launched> {
    let parsed = parse(args, Shape { values: ENV_VALUES, stops: true, ..Shape::default() });
    match parsed.value(&["-S", "--split-string"]) {
        Some(text) => vec![Launched::Text(text.clone())],
        None => words(skip_assignments(args.get(parsed.first..).unwrap_or_default())),
    }
}

/// Every command that stands behind one of these options, up to `;` or `+`.
fn executed(args: &[Arg], options: &[&str]) -> Vec<Launched> {
    let mut found = Vec::new();
    let mut rest = args;
    while let Some(place) = rest.iter().position(|arg| options.contains(&arg.text.as_str())) {
        rest = rest.get(place + 1..).unwrap_or_default();
        let end = rest.iter().position(|arg| arg.text == ";" || arg.text == "+").unwrap_or(rest.len());
        let (inner, behind) = rest.split_at_checked(end).unwrap_or((rest, &[]));
        found.extend(words(inner));
        rest = behind;
    }
    found
}

/// The text behind `-c`, also in a bundle such as `-lc`.
fn text_of_shell(args: &[Arg]) -> Option<Arg> {
    let is_text_option = |arg: &Arg| {
        let text = arg.text.as_str();
        text == "--command" || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('c'))
    };
    let place = args.iter().position(is_text_option)?;
    // `bash -c -e text` takes options behind -c as well.
    args.get(place + 1..)?.iter().find(|arg| !arg.text.starts_with('-')).cloned()
}

/// `NAME=value` in front of the command, as `env`, `sudo` and `cross-env` take it.
pub(crate) fn skip_assignments(args: &[Arg]) -> &[Arg] {
    let count = args.iter().take_while(|arg| assignment(arg).is_some()).count();
    args.get(count..).unwrap_or_default()
}

pub(crate) fn assignment(arg: &Arg) -> Option<(String, Arg)> {
    let (name, _) = arg.text.split_once('=')?;
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let good =
        !name.is_empty() && name.chars().all(letters) && !name.starts_with(|c: char| c.is_ascii_digit());
    good.then(|| arg.after('=').map(|value| (name.to_owned(), value))).flatten()
}
