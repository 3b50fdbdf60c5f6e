//! `xargs` and `parallel`: words from a pipe become arguments.

use super::args::{Arg, base_name, join};
use super::call::judge_words;
use super::finding;
use super::floods;
use super::holding;
use super::launched::XARGS_VALUES;
use super::model::Class;
use super::options::{Shape, parse};
use super::produced;
use super::reading;
use super::ruleset::Family;
use super::scene::Scene;
use super::shells::run_text;
use super::trial::Trial;

const MANY: usize = 64;

pub(crate) fn judge(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let parsed = parse(args, Shape { values: XARGS_VALUES, stops: true, ..Shape::default() });
    let command = args.get(parsed.first..).unwrap_or_default();
    if command.is_empty() {
        return;
    }
    if produced::stages(scene.script, scene.command)
        .iter()
        .any(|stage| produced::program_of(stage).is_some_and(|(name, _)| name == "yes"))
    {
        scene.ask(
            trial,
            "endless-start",
            "resource_exhaustion",
            "it starts a program again and again without end",
        );
    }
    flood(trial, scene, parsed.value(&["-P", "--max-procs"]));
    let whole = parsed.has(&["-0", "--null"]);
    let (given, regenerable) = inputs(trial, scene, parsed.value(&["-a", "--arg-file"]), whole);
    if regenerable
        && command
            .first()
            .is_some_and(|program| matches!(base_name(&program.text), "rm" | "rmdir" | "unlink"))
    {
        finding::deletes(trial, scene, &given);
        return trial.changes();
    }
    let mark = parsed.value(&["-I", "-J"]).map(|mark| mark.text.clone());
    let mark = mark.or_else(|| parsed.has(&["-i", "--replace"]).then(|| "{}".to_owned()));
    let mut inner: Vec<Arg> = command.to_vec();
    match mark {
        Some(mark) => {
            let whole = join(&given);
            for arg in &mut inner {
                if arg.text.contains(&mark) {
                    *arg = replace(arg, &mark, &whole);
                }
            }
        }
        None => inner.extend(given),
    }
    let unknown = inner.iter().any(Arg::has_hole);
    let trial_mark = trial.mark();
    judge_words(trial, scene, &inner);
    let class = trial.since(trial_mark);
    let says = command
        .first()
        .is_some_and(|program| trial.rules.family(base_name(&program.text)) == Some(Family::Talker));
    let loss = !says
        && command
            .iter()
            .skip(1)
            .take(3)
            .any(|word| trial.rules.lists("loss", &word.text.to_ascii_lowercase()));
    if unknown && loss && class < Class::Ask {
        scene.ask(
            trial,
            "xargs-loss",
            "destructive_verb",
            "it deletes or stops what only running would tell",
        );
    }
}

/// `seq 100000 | xargs -P0 …`: as many processes at once as there are words.
fn flood(trial: &mut Trial<'_>, scene: &Scene<'_>, at_once: Option<&Arg>) {
    const MANY: u64 = 1_000;
    let at_once = at_once.and_then(|arg| arg.text.parse::<u64>().ok());
    let unbounded = at_once.is_some_and(|number| number == 0 || number >= MANY);
    let counted = |stage: &&crate::shell::Command| {
        produced::program_of(stage)
            .is_some_and(|(name, args)| name == "seq" && floods::sequence(&join(&args).text) >= MANY)
    };
    if unbounded && produced::stages(scene.script, scene.command).iter().any(counted) {
        let reason = "it starts thousands of processes at once";
        scene.ask(trial, "process-flood", "resource_exhaustion", reason);
    }
}

fn replace(arg: &Arg, mark: &str, with: &Arg) -> Arg {
    let mut filled = arg.clone();
    filled.text = arg.text.replace(mark, &with.text);
    filled.pattern |= with.pattern && arg.text == mark;
    let copies = arg.text.matches(mark).count();
    for _ in 0..copies {
        filled.hints.extend(with.hints.iter().cloned());
    }
    filled
}

/// The words that come in: certain, names of a known place, or unknown; and whether they are build output.
pub(crate) fn inputs(
    trial: &Trial<'_>,
    scene: &Scene<'_>,
    file: Option<&Arg>,
    whole: bool,
) -> (Vec<Arg>, bool) {
    let unknown = || vec![Arg::unknown("what comes in through the pipe")];
    // `-a <(…)` names a text that may be known.
    let inner = file.and_then(|file| file.hints.first()).and_then(|hint| reading::inside(hint));
    let named = inner.and_then(|inner| reading::output(&reading::read(trial, scene, inner)));
    if file.is_some() && named.is_none() {
        return (unknown(), false);
    }
    if let Some(text) = named.as_deref().or_else(|| scene.input()) {
        let blanks: &[char] = if whole { &['\0'] } else { &[' ', '\n', '\t', '\0'] };
        let words: Vec<Arg> =
            text.split(blanks).filter(|word| !word.is_empty()).take(MANY).map(Arg::certain).collect();
        return (words, false);
    }
    let stages = produced::stages(scene.script, scene.command);
    let known: Vec<_> = stages.iter().filter_map(|stage| produced::program_of(stage)).collect();
    // Filters in between choose among the names; the list itself says where they are.
    let Some((name, args)) = known.iter().find(|(name, _)| {
        !matches!(name.as_str(), "grep" | "head" | "tail" | "sort" | "uniq" | "sed" | "awk" | "tr" | "cut")
    }) else {
        return match known.last() {
            Some((name, args)) if name == "grep" && lists_names(args) => (vec![here()], false),
            _ => (unknown(), false),
        };
    };
    match name.as_str() {
        "find" | "gfind" => finding::listed(trial, args),
        "ls" if args.iter().any(|arg| !arg.text.starts_with('-')) => {
            let plain = args.iter().filter(|arg| !arg.text.starts_with('-'));
            let changed = known.iter().any(|(name, _)| matches!(name.as_str(), "sed" | "awk" | "perl"));
            (plain.map(|arg| listed(args, arg, changed)).collect(), false)
        }
        "locate" | "plocate" | "mlocate" | "mdfind"
            if args.iter().any(|arg| holding::seeks_keys(&arg.text)) =>
        {
            (vec![Arg::certain(format!("{}/.ssh/id_rsa", trial.stage.home))], false)
        }
        "fd" | "fdfind" | "ls" | "rg" | "ag" | "git" => (vec![here()], false),
        "pgrep" | "pidof" | "lsof" | "fuser" => {
            (vec![Arg::unknown(format!("$({} {})", name, join(args).text))], false)
        }
        "ps" => (vec![Arg::unknown(format!("$(ps {})", join(args).text))], false),
        _ => (unknown(), false),
    }
}

/// `ls -d /*` puts out the names themselves; without `-d` a folder's names come out bare, until something puts
/// the folder in front of them again.
fn listed(args: &[Arg], arg: &Arg, changed: bool) -> Arg {
    if changed {
        let text = format!("{}/*", arg.text.trim_end_matches('/'));
        return Arg { text, pattern: true, hints: arg.hints.clone() };
    }
    let itself = args.iter().any(|arg| arg.text.starts_with('-') && arg.text.contains('d'));
    if itself || arg.pattern { arg.clone() } else { here() }
}

/// Some files below the working folder, nobody knows which.
fn here() -> Arg {
    Arg { text: "./some-*".to_owned(), pattern: true, hints: Vec::new() }
}

fn lists_names(args: &[Arg]) -> bool {
    args.iter().any(|arg| {
        arg.text == "--files-with-matches"
            || (arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains('l'))
    })
}

/// GNU parallel: a template, then `:::` and values, or values from the pipe.
pub(crate) fn parallel(trial: &mut Trial<'_>, scene: &Scene<'_>, args: &[Arg]) {
    let values = &[
        "-j",
        "--jobs",
        "-a",
        "--arg-file",
        "-I",
        "--delay",
        "--timeout",
        "--results",
        "--joblog",
        "-n",
        "-N",
        "-L",
        "--colsep",
        "-C",
        "-S",
        "--sshlogin",
        "--retries",
        "--load",
        "--memfree",
        "--tmpdir",
        "--wd",
        "--workdir",
    ];
    let parsed = parse(args, Shape { values, stops: true, ..Shape::default() });
    if parsed.has(&["-S", "--sshlogin", "--sshloginfile", "--slf"]) {
        scene.ask(trial, "parallel-remote", "cloud_destructive", "it runs commands on other machines");
    }
    let mut frame = scene.frame.clone();
    if let Some(folder) = parsed.value(&["--wd", "--workdir"]) {
        frame.cwd = scene.locate(trial, folder).path;
    }
    let scene = &Scene { script: scene.script, index: scene.index, command: scene.command, frame };
    let rest = args.get(parsed.first..).unwrap_or_default();
    let cut = rest.iter().position(|arg| arg.text.starts_with(":::")).unwrap_or(rest.len());
    let (template, sources) = rest.split_at_checked(cut).unwrap_or((rest, &[]));
    let given: Vec<Arg> =
        sources.iter().filter(|arg| !arg.text.starts_with(":::")).take(MANY).cloned().collect();
    if template.is_empty() {
        // Every value, or every line of the pipe, is a command of its own.
        for text in &given {
            run_text(trial, scene, text, &[], scene.frame.clone());
        }
        match scene.input().map(str::to_owned) {
            Some(text) if given.is_empty() => {
                run_text(trial, scene, &Arg::certain(text), &[], scene.frame.clone())
            }
            None if given.is_empty() && scene.is_fed() => {
                scene.ask(trial, "run-unknown", "unknown", "it runs lines that only running would tell");
            }
            _ => {}
        }
        return;
    }
    let values = if given.is_empty() { inputs(trial, scene, None, false).0 } else { given };
    let text = join(template);
    let whole = join(&values);
    let text = if text.text.contains("{}") { replace(&text, "{}", &whole) } else { join(&[text, whole]) };
    if text.has_hole() || text.pattern {
        if let [command] = template
            && command.is_certain()
            && command.text.contains(' ')
        {
            return run_text(trial, scene, command, &[], scene.frame.clone());
        }
        // Unknown values are arguments, not commands: judge the template word by word.
        let mut words: Vec<Arg> = template.to_vec();
        words.extend(values);
        return judge_words(trial, scene, &words);
    }
    run_text(trial, scene, &text, &[], scene.frame.clone());
}
