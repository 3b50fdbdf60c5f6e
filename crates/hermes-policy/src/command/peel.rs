//! Launchers: programs that are judged by what they launch.

use super::args::{Arg, join};
use super::call::judge_words;
use super::model::Class;
use super::options::{Parsed, Shape, parse};
use super::ruleset::{Launcher, LauncherKind};
use super::scene::{Frame, Scene};
use super::shells::run_text;
use super::trial::Trial;

/// Options of launchers that show something and launch nothing.
const LOOKS: &[&str] = &[
    "--print",
    "--dump",
    "-d",
    "--list",
    "-l",
    "--help",
    "-h",
    "--version",
    "-V",
    "--supports",
    "--decode",
    "--explain",
];

/// Takes a launcher off and judges what is inside; false if this call launches nothing.
pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) -> bool {
    let rules = trial.rules;
    for launcher in rules.launchers(name) {
        if let Some(rest) = behind_sub(launcher, args) {
            peel(trial, scene, launcher, (name, rest));
            return true;
        }
    }
    false
}

fn shape<'a>(launcher: &'a Launcher, texts: &'a [&'a str]) -> Shape<'a> {
    let stops = !matches!(
        launcher.kind,
        LauncherKind::Options | LauncherKind::AfterDashes | LauncherKind::AfterOption
    );
    Shape { values: texts, more: &launcher.values, words: launcher.words, stops }
}

/// The words behind the subcommand that launches, if this is it.
fn behind_sub<'a>(launcher: &Launcher, args: &'a [Arg]) -> Option<&'a [Arg]> {
    if launcher.sub.is_empty() {
        return Some(args);
    }
    let shape = Shape { more: &launcher.values, words: launcher.words, stops: true, ..Shape::default() };
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

fn peel(trial: &mut Trial<'_>, scene: &Scene<'_>, launcher: &Launcher, (name, args): (&str, &[Arg])) {
    let texts: Vec<&str> = launcher.text.iter().map(String::as_str).collect();
    let parsed = parse(args, shape(launcher, &texts));
    let frame = Frame {
        privileged: scene.frame.privileged || launcher.privileged,
        remote: scene.frame.remote || launcher.remote,
        ..scene.frame.clone()
    };
    let inner = Scene { script: scene.script, index: scene.index, command: scene.command, frame };
    let mark = trial.mark();
    let mut launched = false;
    for text in parsed.values(&texts).filter(|_| launcher.kind != LauncherKind::AfterOption) {
        launched = true;
        match launcher.kind {
            // The option names the program, and its arguments stand behind `--`.
            LauncherKind::AfterDashes => {
                let words: Vec<Arg> = std::iter::once(text).chain(behind_dashes(args)).cloned().collect();
                judge_words(trial, &inner, &words);
            }
            _ => run_text(trial, &inner, text, &[], inner.frame.clone()),
        }
    }
    if !launched || !matches!(launcher.kind, LauncherKind::Options | LauncherKind::AfterDashes) {
        launched |= by_kind(trial, &inner, launcher, (args, &parsed));
    }
    let class = trial.since(mark);
    if launcher.privileged && class == Class::Safe {
        scene.ask(
            trial,
            "other-user",
            "priv_esc",
            format!("{name} runs it with the rights of somebody else"),
        );
    } else if launcher.far && class == Class::Safe {
        scene.ask(
            trial,
            "far-change",
            "cloud_destructive",
            format!("{name} changes something on another machine"),
        );
    }
    if !launched {
        trial.changes();
        let looks = parsed.flags.iter().any(|flag| LOOKS.contains(&flag.name.as_str()));
        if launcher.privileged && !args.is_empty() && !looks {
            scene.ask(trial, "other-shell", "priv_esc", format!("{name} opens a shell with other rights"));
        }
    }
}

fn behind_dashes(args: &[Arg]) -> &[Arg] {
    let place = args.iter().position(|arg| arg.text == "--");
    place.and_then(|place| args.get(place + 1..)).unwrap_or_default()
}

fn by_kind(
    trial: &mut Trial<'_>,
    scene: &Scene<'_>,
    launcher: &Launcher,
    (args, parsed): (&[Arg], &Parsed),
) -> bool {
    match launcher.kind {
        LauncherKind::Options => false,
        LauncherKind::AfterOption => {
            let place = args.iter().position(|arg| launcher.text.contains(&arg.text));
            let rest = place.and_then(|place| args.get(place + 1..)).unwrap_or_default();
            judge_words(trial, scene, rest);
            !rest.is_empty()
        }
        LauncherKind::AfterDashes => {
            let rest = behind_dashes(args);
            judge_words(trial, scene, rest);
            !rest.is_empty()
        }
        LauncherKind::Words => {
            let rest = args.get(parsed.first..).unwrap_or_default().get(launcher.skip..).unwrap_or_default();
            let rest = skip_assignments(rest);
            // `flock file -c text`: the option may stand behind the operands.
            if let [option, text, ..] = rest
                && launcher.text.contains(&option.text)
            {
                run_text(trial, scene, text, &[], scene.frame.clone());
                return true;
            }
            let rest = if rest.first().is_some_and(|arg| arg.text == "--") {
                rest.get(1..).unwrap_or_default()
            } else {
                rest
            };
            judge_words(trial, scene, rest);
            !rest.is_empty()
        }
        LauncherKind::Joined => {
            let rest = parsed.operands.get(launcher.skip..).unwrap_or_default();
            if !rest.is_empty() {
                run_text(trial, scene, &join(rest), &[], scene.frame.clone());
            }
            !rest.is_empty()
        }
        LauncherKind::Each => {
            let rest = parsed.operands.get(launcher.skip..).unwrap_or_default();
            for text in rest {
                run_text(trial, scene, text, &[], scene.frame.clone());
            }
            !rest.is_empty()
        }
    }
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
