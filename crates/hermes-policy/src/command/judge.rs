//! The judgement of a command line: read it, look at every command in it, keep everything found.

use super::args::Arg;
use super::bombs;
use super::model::{Class, Finding, Judgement, Stage};
use super::ruleset::{Compiled, Rules, UserRules};
use super::scene::{Frame, Scene};
use super::trial::Trial;
use super::{assignments, call, folder, hidden, letters, redirects, rereading};
use crate::shell::{self, Doubt, Script, Surroundings, Word};

/// Judges a command line by the shipped rules. Nothing is run and nothing on the machine is looked at.
pub fn judge(text: &str, stage: &Stage) -> Judgement {
    judge_with(text, stage, &UserRules::default())
}

/// The same, with rules that the user added.
pub fn judge_with(text: &str, stage: &Stage, user: &UserRules) -> Judgement {
    match Rules::shipped() {
        Ok(rules) => judge_by(rules, &user.rules, text, stage),
        Err(error) => {
            let finding = Finding {
                class: Class::Ask,
                rule: "rules-unreadable".to_owned(),
                category: "unknown".to_owned(),
                reason: format!("the rules for commands cannot be read ({error})"),
                span: (0, text.len()),
            };
            Judgement {
                class: Class::Ask,
                category: Some("unknown".to_owned()),
                effects: Vec::new(),
                findings: vec![finding],
            }
        }
    }
}

pub(super) fn judge_by(rules: &Rules, user: &[Compiled], text: &str, stage: &Stage) -> Judgement {
    let mut trial = Trial::new(rules, user, stage);
    letters::look(&mut trial, text);
    let surroundings = Surroundings { home: &stage.home, cwd: &stage.cwd };
    let script = shell::read_in(text, &surroundings);
    let frame = Frame { cwd: Some(stage.cwd.clone()), ..Frame::default() };
    judge_script(&mut trial, &script, text, frame);
    trial.end()
}

/// Judges a text that a launcher would give to a shell.
pub(super) fn judge_text(trial: &mut Trial<'_>, scene: &Scene<'_>, text: &str, frame: Frame) {
    judge_with_arguments(trial, scene, text, &[], frame);
}

/// The same, with the words behind `sh -c 'text' name`.
pub(super) fn judge_with_arguments(
    trial: &mut Trial<'_>,
    scene: &Scene<'_>,
    text: &str,
    arguments: &[Arg],
    frame: Frame,
) {
    if !trial.enter() {
        return scene.deny(trial, "too-deep", "limit", "commands are nested too deep to be followed");
    }
    let cwd = frame.cwd.clone().unwrap_or_else(|| trial.stage.cwd.clone());
    // The first word is the name of the script, which the reader does not follow.
    let named =
        arguments.first().and_then(Arg::exact).filter(|name| !name.contains(['\'', '"', '$', '`', '\\']));
    let filled = named.filter(|_| text.contains("$0")).map(|name| text.replace("$0", name));
    let filled = filled.or_else(|| with_name(text, arguments.first()));
    let text = filled.as_deref().unwrap_or(text);
    let words: Vec<Word> = arguments.iter().skip(1).map(Arg::to_word).collect();
    // What the script exports is there in every text that a command of it runs.
    let exported = scene.command.environment.as_deref().unwrap_or_default();
    let passed = frame.passed.as_deref().map(|passed| [exported, passed].concat());
    let variables = passed.as_deref().unwrap_or(exported);
    let script = rereading::read(trial, text, &cwd, (&words, variables));
    let span = Some(scene.span());
    // From here on they are in the environment of every command.
    judge_script(trial, &script, text, Frame { span, passed: None, ..frame });
    trial.leave();
}

/// The text with a name that holds quotes and the like: whole where `$0` is quoted, as words where it is not.
fn with_name(text: &str, name: Option<&Arg>) -> Option<String> {
    let name = name.and_then(Arg::exact).filter(|_| text.contains("$0") || text.contains("${0}"))?;
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let words: Vec<String> = name.split_whitespace().map(quoted).collect();
    let whole = text.replace("\"$0\"", &quoted(name)).replace("\"${0}\"", &quoted(name));
    Some(whole.replace("${0}", &words.join(" ")).replace("$0", &words.join(" ")))
}

/// The doubt with the way out, where whoever wrote the command has one.
fn told(doubt: &Doubt) -> String {
    match doubt.unfinished {
        true => format!("{}: the command ends too early and should be completed", doubt.reason),
        false => doubt.reason.clone(),
    }
}

fn judge_script(trial: &mut Trial<'_>, script: &Script, text: &str, frame: Frame) {
    for doubt in script.doubts.iter().filter(|doubt| doubt.reason != shell::DYNAMIC_EVAL) {
        trial.found(Finding {
            class: Class::Ask,
            rule: "doubt".to_owned(),
            category: "unknown".to_owned(),
            reason: told(doubt),
            span: frame.span.unwrap_or((doubt.span.start, doubt.span.end)),
        });
    }
    bombs::look(trial, script, text, &frame);
    let mut folders = folder::Folders::new(frame.cwd.clone());
    for (index, command) in script.commands.iter().enumerate() {
        folders.step(text, script, index);
        let frame = frame.in_folder(folders.here());
        let scene = Scene { script, index, command, frame };
        // Whoever has words is counted when they are judged.
        if command.words.is_empty() && !trial.count() {
            return scene.ask(
                trial,
                "too-many",
                "limit",
                "there are more commands than anybody would look at",
            );
        }
        assignments::judge(trial, &scene);
        redirects::judge(trial, &scene);
        if text.get(scene.command.span.start..).is_some_and(|text| text.starts_with(['$', '`'])) {
            hidden::decoded_inside(trial, &scene);
        }
        call::judge_command(trial, &scene, &mut folders);
    }
}
