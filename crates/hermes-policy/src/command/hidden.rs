//! Running text that does not stand in the command: decoded, downloaded, generated, written a moment ago.

use super::args::Arg;
use super::judge::{judge_text, judge_with_arguments};
use super::place::{Kind, is_below};
use super::produced::{self, Source};
use super::scene::Scene;
use super::trial::{Content, Trial};
use super::{literals, reading, written};

/// Who would run the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runner {
    Shell,
    /// An interpreter of another language.
    Interpreter,
}

/// How far from a command the commands of its substitutions stand.
const NEAR: usize = 16;

/// Text that becomes commands, and a part of it was written in a code: what it says is known, but nobody wrote it.
pub(crate) fn decoded_inside(trial: &mut Trial<'_>, scene: &Scene<'_>) {
    let span = &scene.command.span;
    let first = scene.index.saturating_sub(NEAR);
    let near = scene.script.commands.iter().skip(first).take(2 * NEAR);
    let inside = near.filter(|command| {
        command.in_substitution && span.start <= command.span.start && command.span.end <= span.end
    });
    if inside.map(|command| produced::source_of(trial, command)).max() == Some(Source::Decoded) {
        decoded(trial, scene, Some(Source::Decoded));
    }
}

/// A shell or interpreter reads its program from standard input.
pub(crate) fn run_input(trial: &mut Trial<'_>, scene: &Scene<'_>, runner: Runner, arguments: &[Arg]) {
    let source = produced::piped(trial, scene.script, scene.command);
    if let Some(text) = scene.input().map(str::to_owned).or_else(|| through_tee(scene)) {
        decoded(trial, scene, source);
        decoded_inside(trial, scene);
        if runner == Runner::Shell {
            with_arguments(trial, scene, &text, (&Arg::certain("sh"), arguments));
        }
        return;
    }
    if let Some(file) =
        scene.command.redirects.iter().find(|redirect| redirect.kind == crate::shell::RedirectKind::Read)
    {
        let file = Arg::from_word(&file.target);
        if file.has_hole() {
            return by_source(trial, scene, source.unwrap_or(Source::Other));
        }
        return run_named(trial, scene, &file, arguments);
    }
    if let Some(files) = poured_in(trial, scene).filter(|_| matches!(source, None | Some(Source::Other))) {
        files.iter().for_each(|file| run_named(trial, scene, file, arguments));
    } else if let Some(source) = source {
        by_source(trial, scene, source);
    } else if scene.is_fed() {
        by_source(trial, scene, Source::Other);
    }
}

/// `cat a.sh | sh` is `sh < a.sh`: the files of the workspace that go in as they are.
pub(crate) fn poured_in(trial: &Trial<'_>, scene: &Scene<'_>) -> Option<Vec<Arg>> {
    let giver = scene.command.reads_from.and_then(|place| scene.script.commands.get(place))?;
    let (name, files) = produced::program_of(giver)?;
    let is_plain = |file: &Arg| {
        let is_file = file.exact().is_some_and(|name| !name.starts_with('-')) && !file.pattern;
        is_file && scene.locate(trial, file).kind == Kind::Workspace
    };
    let whole = name == "cat" && giver.reads_from.is_none() && giver.redirects.is_empty();
    (whole && !files.is_empty() && files.iter().all(is_plain)).then_some(files)
}

/// `tee >(sh)`: the shell in the substitution gets what `tee` gets.
fn through_tee(scene: &Scene<'_>) -> Option<String> {
    let giver = scene.command.reads_from.and_then(|place| scene.script.commands.get(place))?;
    let (name, _) = produced::program_of(giver)?;
    giver.input.as_deref().filter(|_| matches!(name.as_str(), "tee" | "pee" | "cat")).map(str::to_owned)
}

fn decoded(trial: &mut Trial<'_>, scene: &Scene<'_>, source: Option<Source>) {
    match source {
        Some(Source::Decoded) => {
            scene.ask(trial, "run-decoded", "obfuscated_exec", "it runs commands that are written in a code");
        }
        Some(Source::Download) => by_source(trial, scene, Source::Download),
        _ => {}
    }
}

pub(crate) fn by_source(trial: &mut Trial<'_>, scene: &Scene<'_>, source: Source) {
    match source {
        Source::Download => {
            scene.ask(trial, "run-download", "remote_exec", "it runs what it just got over the network");
        }
        // A person can only agree to what can be shown, and this cannot.
        Source::Decoded => {
            let reason =
                "it runs packed or encoded text that nobody can see; decode it to a file and look first";
            scene.deny(trial, "run-hidden", "obfuscated_exec", reason);
        }
        Source::Generated => {
            literals::judge_upstream(trial, scene);
            scene.ask(
                trial,
                "run-generated",
                "obfuscated_exec",
                "it runs text that another program puts together",
            );
        }
        Source::Other => {
            scene.ask(trial, "run-unknown", "unknown", "it runs text that only running would tell");
        }
    }
}

/// A script file is run: what this very command wrote into it is known.
pub(crate) fn run_named(trial: &mut Trial<'_>, scene: &Scene<'_>, file: &Arg, arguments: &[Arg]) {
    if file.has_hole() {
        if file.hints.iter().any(|hint| is_hook(trial, hint)) {
            return;
        }
        if let Some(inner) = file.hints.iter().find_map(|hint| reading::inside(hint)) {
            return run_substituted(trial, scene, inner);
        }
        return;
    }
    let place = scene.locate(trial, file);
    let Some(path) = place.path else { return };
    if matches!(path.as_str(), "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") {
        return run_input(trial, scene, Runner::Shell, arguments);
    }
    if let Some(content) = trial.files.get(&path).cloned() {
        run_file(trial, scene, (file, arguments), &content);
    } else if trial.cloned.iter().any(|folder| is_below(&path, folder)) {
        cloned(trial, scene, &path);
    } else if trial.unpacked {
        let reason = "it runs a script out of an archive that was just downloaded";
        scene.ask(trial, "run-download", "remote_exec", reason);
    }
}

/// A program out of a repository that this very command cloned.
pub(crate) fn cloned(trial: &mut Trial<'_>, scene: &Scene<'_>, path: &str) {
    let reason = format!("it runs {path}, which came with a repository that was just cloned");
    scene.ask(trial, "run-download", "remote_exec", reason);
}

/// A text is run under a name, with these words behind it.
fn with_arguments(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &str, (name, arguments): (&Arg, &[Arg])) {
    // `sh a.sh` and `./a.sh` are the same to a script that starts itself by `$0`.
    let name = match name.exact() {
        Some(plain) if !plain.contains('/') => Arg::certain(format!("./{plain}")),
        _ => name.clone(),
    };
    let words: Vec<Arg> = std::iter::once(&name).chain(arguments).cloned().collect();
    judge_with_arguments(trial, scene, text, &words, scene.frame.clone());
}

/// A file that this very script wrote is run, with these words behind it.
pub(crate) fn run_file(
    trial: &mut Trial<'_>,
    scene: &Scene<'_>,
    (file, arguments): (&Arg, &[Arg]),
    content: &Content,
) {
    let path = file.shown();
    match content {
        Content::Text(text) => {
            if let Some(language) = written::language_of(trial, text) {
                return written::judge_code(trial, scene, language, text);
            }
            if text.starts_with("#!") && !text.lines().next().is_some_and(|line| line.contains("sh")) {
                return literals::judge_code(trial, scene, text);
            }
            let place = scene.locate(trial, file).path.unwrap_or(path);
            if trial.running.contains(&place) {
                return starts_itself(trial, scene, &place);
            }
            trial.running.push(place);
            with_arguments(trial, scene, text, (file, arguments));
            trial.running.pop();
        }
        Content::Download => {
            scene.ask(
                trial,
                "run-download",
                "remote_exec",
                format!("it runs {path}, which was just downloaded"),
            );
        }
        Content::Decoded => {
            let reason = format!("it runs {path}, which was just decoded, so that nobody can see it first");
            scene.deny(trial, "run-hidden", "obfuscated_exec", reason);
        }
        Content::Other => {}
    }
}

/// A script that was just written starts itself: beside itself it is a fork bomb, one after the other it never ends.
fn starts_itself(trial: &mut Trial<'_>, scene: &Scene<'_>, path: &str) {
    let command = scene.command;
    let reason = format!("{path} starts itself");
    match command.background || command.feeds.is_some() || command.reads_from.is_some() {
        true => scene.deny(trial, "fork-bomb", "resource_exhaustion", reason),
        false => scene.ask(trial, "endless-start", "resource_exhaustion", reason),
    }
}

/// `bash <(…)`, `sh -c "$(…)"`: the inside says where the text comes from.
pub(crate) fn run_substituted(trial: &mut Trial<'_>, scene: &Scene<'_>, inner: &str) {
    let script = reading::read(trial, scene, inner);
    let source = produced::in_script(trial, &script);
    if let Some(text) = reading::output(&script) {
        decoded(trial, scene, Some(source).filter(|source| *source >= Source::Decoded));
        return judge_text(trial, scene, &text, scene.frame.clone());
    }
    match source {
        Source::Generated => {
            for command in &script.commands {
                literals::judge_producer(trial, scene, command);
            }
            scene.ask(
                trial,
                "run-generated",
                "obfuscated_exec",
                "it runs text that another program puts together",
            );
        }
        source => by_source(trial, scene, source),
    }
}

/// The program word itself is a substitution; true if that was dealt with.
pub(crate) fn judge_substituted(
    trial: &mut Trial<'_>,
    scene: &Scene<'_>,
    program: &Arg,
    rest: &[Arg],
) -> bool {
    let Some(inner) = program.hints.first().and_then(|hint| reading::inside(hint)) else { return false };
    let script = reading::read(trial, scene, inner);
    let source = produced::in_script(trial, &script);
    if source < Source::Generated {
        return false;
    }
    if let (Some(text), []) = (reading::output(&script), rest) {
        decoded(trial, scene, Some(source).filter(|source| *source >= Source::Decoded));
        judge_text(trial, scene, &text, scene.frame.clone());
        return true;
    }
    by_source(trial, scene, source);
    true
}

/// Whether a substitution is of a program whose output is made to be evaluated, such as `ssh-agent -s`.
pub(crate) fn is_hook(trial: &Trial<'_>, hint: &str) -> bool {
    let Some(inner) = reading::inside(hint) else { return false };
    let inner = inner.trim();
    let simple = !inner.contains([';', '|', '&', '`', '<', '\n']) && !inner.contains("$(");
    simple
        && trial.rules.lists.hooks.iter().any(|hook| {
            let name = inner
                .rsplit_once('/')
                .filter(|(path, _)| !path.contains(' '))
                .map_or(inner, |(_, name)| name);
            [inner, name].iter().any(|text| {
                text.strip_prefix(hook.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '.']))
            })
        })
}
