//! Launchers: programs that are judged by what they launch.

use super::args::Arg;
use super::call::judge_words;
use super::launched::{Launched, behind_sub, by_launcher, folder, parsed};
use super::model::Class;
use super::ruleset::Launcher;
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
            peel(trial, scene, launcher, (name, args, rest));
            return true;
        }
    }
    false
}

/// Of all words those behind the subcommand say what is launched.
fn peel(
    trial: &mut Trial<'_>,
    scene: &Scene<'_>,
    launcher: &Launcher,
    (name, all, args): (&str, &[Arg], &[Arg]),
) {
    let parsed = parsed(launcher, args);
    let cwd = match folder(launcher, all, &parsed) {
        Some(folder) => scene.locate(trial, &folder).path,
        None => scene.frame.cwd.clone(),
    };
    let frame = Frame {
        cwd,
        privileged: scene.frame.privileged || launcher.privileged,
        remote: scene.frame.remote || launcher.remote,
        ..scene.frame.clone()
    };
    let inner = Scene { script: scene.script, index: scene.index, command: scene.command, frame };
    let mark = trial.mark();
    let starts = by_launcher(launcher, args, &parsed);
    for start in &starts {
        match start {
            Launched::Words(words) => judge_words(trial, &inner, words),
            Launched::Text(text) => run_text(trial, &inner, text, &[], inner.frame.clone()),
        }
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
    if starts.is_empty() {
        trial.changes();
        let looks = parsed.flags.iter().any(|flag| LOOKS.contains(&flag.name.as_str()));
        if launcher.privileged && !args.is_empty() && !looks {
            scene.ask(trial, "other-shell", "priv_esc", format!("{name} opens a shell with other rights"));
        }
    }
}
