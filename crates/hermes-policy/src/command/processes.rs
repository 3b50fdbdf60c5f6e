//! Ending processes: one's own jobs are nobody's business, everybody's are.

use super::args::Arg;
use super::model::EffectKind;
use super::options::{Shape, parse};
use super::scene::Scene;
use super::trial::Trial;

/// Where a list of process numbers comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    /// Jobs of this script, a number in a file, one port.
    Narrow,
    /// By the name of a program.
    Named,
    /// Some that others run too.
    All,
    /// All that run.
    Everybody,
    Parent,
    Unknown,
}

pub(crate) fn kill(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let Some((forced, targets)) = signal_and_targets(args) else { return };
    for target in targets {
        let text = target.text.as_str();
        trial.effect(EffectKind::Process, target.shown());
        if text == "-1" {
            scene.deny(trial, "kill-all", "process_kill", "it ends every process it can reach");
        } else if text == "1" {
            scene.deny(trial, "kill-init", "process_kill", "process 1 is the system itself");
        } else if target.has_hole() {
            chosen(trial, scene, target, forced);
        } else if target.pattern {
            scene.ask(
                trial,
                "kill-unknown",
                "process_kill",
                "only running would tell which processes it ends",
            );
        } else {
            trial.changes();
        }
    }
}

fn chosen(trial: &mut Trial<'_>, scene: &Scene<'_>, target: &Arg, forced: bool) {
    let shown = target.shown();
    match how_chosen(trial, &target.hints) {
        Chosen::Narrow => trial.changes(),
        Chosen::Named if !forced => trial.changes(),
        Chosen::Parent => {
            scene.ask(
                trial,
                "kill-parent",
                "policy_tamper",
                "the parent of this shell is the runtime itself",
            );
        }
        Chosen::Everybody => {
            scene.deny(trial, "kill-all", "process_kill", format!("`{shown}` names every process there is"))
        }
        Chosen::All => scene.ask(
            trial,
            "kill-listed",
            "process_kill",
            format!("`{shown}` names processes of others too"),
        ),
        Chosen::Named | Chosen::Unknown => {
            scene.ask(
                trial,
                "kill-unknown",
                "process_kill",
                format!("only running would tell what `{shown}` ends"),
            );
        }
    }
}

fn how_chosen(trial: &Trial<'_>, hints: &[String]) -> Chosen {
    // How a list is shown says nothing about whom it holds.
    let hint =
        hints.join(" ").replace("--no-headers", "").replace("--no-heading", "").replace("--headers", "");
    let has = |word: &str| hint.contains(word);
    if ["/var/run/", " /run/"].iter().any(|folder| has(folder)) {
        return Chosen::All;
    }
    if has("PPID") {
        return Chosen::Parent;
    }
    if has("$!")
        || has("jobs")
        || has(".pid")
        || has("lsof")
        || has("fuser")
        || has("docker inspect")
        || has("%")
    {
        return Chosen::Narrow;
    }
    if has("pgrep") && finds_everybody(&hint) {
        return Chosen::Everybody;
    }
    if has("pidof") || has("pgrep") {
        let daemon = hint.split(|c: char| c.is_whitespace() || "()`'\"".contains(c)).any(|word| {
            trial.rules.lists("daemons", word) || word == "hermes" || word == "." || word == "-u"
        });
        return if daemon { Chosen::All } else { Chosen::Named };
    }
    let every = [" -e", " -A", " ax", " aux", " -ax"].iter().any(|flag| has(flag));
    if has("#/proc/") {
        return Chosen::Everybody;
    }
    let picked =
        ["grep", "/", " -C", " -u", " -p", "--ppid", "==", "~", "head", "tail"].iter().any(|sign| has(sign));
    if has("ps ") && every && !picked {
        return Chosen::Everybody;
    }
    if has("ps ") || has("/proc") {
        return Chosen::All;
    }
    if !has("(") && !has("`") && hint.to_ascii_lowercase().contains("pid") {
        return Chosen::Narrow;
    }
    Chosen::Unknown
}

/// `pgrep ''`, `pgrep .`, `pgrep -v x`: what is looked for is in every name.
fn finds_everybody(hint: &str) -> bool {
    let bare = |word: &str| word.trim_matches(|sign: char| "$()`'\"".contains(sign)).to_owned();
    let mut words =
        hint.split_whitespace().map(bare).skip_while(|word| word != "pgrep" && !word.ends_with("/pgrep"));
    let words: Vec<String> =
        words.by_ref().skip(1).take_while(|word| !matches!(word.as_str(), "|" | ";" | "&&")).collect();
    let is_option = |word: &String| word.starts_with('-');
    if words.iter().any(|word| word == "-v" || word == "--inverse") {
        return true;
    }
    // Other options choose by user, parent or terminal.
    let plain = words
        .iter()
        .filter(|word| is_option(word))
        .all(|word| matches!(word.as_str(), "-f" | "-a" | "-l" | "-i"));
    plain
        && words
            .iter()
            .filter(|word| !is_option(word))
            .all(|word| matches!(word.as_str(), "" | "." | ".*" | "^" | "^." | "$"))
}

/// Whether it is forced (`-9`), and whom it is for; nothing if it only lists or probes.
fn signal_and_targets(args: &[Arg]) -> Option<(bool, Vec<&Arg>)> {
    let mut forced = false;
    let mut targets = Vec::new();
    let mut rest = args.iter();
    let mut first = true;
    let mut only_targets = false;
    while let Some(arg) = rest.next() {
        let text = arg.text.as_str();
        match text {
            _ if only_targets => targets.push(arg),
            "--" => only_targets = true,
            "-l" | "-L" | "--list" | "--table" | "-0" => return None,
            "-s" | "--signal" | "-n" | "-q" | "--queue" => {
                let signal = rest.next().map(|arg| arg.text.as_str()).unwrap_or_default();
                if signal == "0" {
                    return None;
                }
                forced |= is_forced(signal);
            }
            _ if text.starts_with('-') && first && !(text == "-1" && args.len() == 1) => {
                forced |= is_forced(text.trim_start_matches('-'));
            }
            _ => targets.push(arg),
        }
        first = false;
    }
    Some((forced, targets))
}

fn is_forced(signal: &str) -> bool {
    matches!(
        signal.to_ascii_uppercase().trim_start_matches("SIG"),
        "9" | "KILL" | "19" | "STOP" | "6" | "ABRT"
    )
}

/// `pkill`, `killall`, `skill`: every process that matches.
pub(crate) fn kill_by_name(trial: &mut Trial<'_>, scene: &Scene<'_>, name: &str, args: &[Arg]) {
    if name == "killall5" {
        return scene.deny(trial, "kill-all", "process_kill", "it ends every process it can reach");
    }
    let values = &[
        "-u",
        "--user",
        "--euid",
        "-U",
        "--uid",
        "-g",
        "--pgroup",
        "-G",
        "--group",
        "-t",
        "--terminal",
        "-P",
        "--parent",
        "-s",
        "--session",
        "--signal",
        "-F",
        "--pidfile",
        "-y",
        "--younger-than",
        "-o",
        "--older-than",
        "--ns",
        "--cgroup",
        "-Z",
        "--context",
    ];
    let parsed = parse(args, Shape { values, words: false, ..Shape::default() });
    if parsed.has_exactly(&["-l", "--list", "-0", "--list-name"])
        || parsed.value(&["-F", "--pidfile"]).is_some()
    {
        return;
    }
    if name == "pkill" && parsed.has_exactly(&["-v", "--inverse"]) {
        return scene.deny(trial, "kill-all", "process_kill", "it ends every process but those it names");
    }
    let forced =
        args.iter().any(|arg| arg.text.starts_with('-') && is_forced(arg.text.trim_start_matches('-')))
            || parsed.values(&["-s", "--signal"]).any(|signal| is_forced(&signal.text));
    let whole_user = ["-u", "--user", "--euid", "-U", "--uid", "-t", "-s", "--session"].iter().any(|flag| {
        parsed
            .value(&[flag])
            .is_some_and(|value| !is_forced(&value.text) && !value.text.eq_ignore_ascii_case("TERM"))
    });
    let parent = parsed
        .value(&["-P", "--parent"])
        .is_some_and(|value| value.has_hole() && value.shown().contains("PPID"));
    for pattern in &parsed.operands {
        trial.effect(EffectKind::Process, pattern.shown());
    }
    let operand = parsed.operands.first();
    let plain = operand
        .map(|arg| arg.text.trim_start_matches('^').trim_end_matches('$').to_owned())
        .unwrap_or_default();
    let everything = matches!(plain.as_str(), "." | ".*" | "*" | ".+" | "[a-z]" | "[a-z]*")
        || (operand.is_some() && plain.is_empty());
    let regex = name != "killall" || parsed.has(&["-r", "--regexp"]);
    if everything && regex {
        scene.deny(trial, "kill-all", "process_kill", "it ends every process it can reach");
    } else if parent {
        scene.ask(trial, "kill-parent", "policy_tamper", "the parent of this shell is the runtime itself");
    } else if plain.contains("hermes") {
        scene.ask(trial, "kill-runtime", "policy_tamper", "it ends Hermes itself");
    } else if whole_user || trial.rules.lists("daemons", &plain) || name == "skill" {
        scene.ask(trial, "kill-others", "process_kill", "it ends processes that this work did not start");
    } else if forced || operand.is_some_and(Arg::has_hole) {
        scene.ask(
            trial,
            "kill-forced",
            "process_kill",
            "it ends every process of that name at once, without a chance to save",
        );
    } else {
        trial.changes();
    }
}
