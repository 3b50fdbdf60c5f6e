//! Fork bombs: functions that start themselves, loops that start something again and again.

use std::collections::HashMap;
use std::ops::Range;

use super::args::base_name;
use super::floods;
use super::model::{Class, Finding};
use super::scene::Frame;
use super::trial::Trial;
use crate::shell::{Command, RedirectKind, Script};

pub(crate) fn look(trial: &mut Trial<'_>, script: &Script, text: &str, frame: &Frame) {
    // How often each function starts itself, and whether any of that runs beside it.
    let mut starts_itself: HashMap<usize, (usize, bool, Range<usize>)> = HashMap::new();
    for command in &script.commands {
        let Some(place) = command.in_function else { continue };
        if !script.functions.get(place).is_some_and(|function| starts(command, &function.name)) {
            continue;
        }
        let beside = command.background
            || command.feeds.is_some()
            || command.reads_from.is_some()
            || command.in_substitution;
        let seen = starts_itself.entry(place).or_insert((0, false, command.span.clone()));
        seen.0 += 1;
        seen.1 |= beside;
    }
    for (count, spreads, span) in starts_itself.into_values() {
        if spreads || count >= 2 {
            bomb(
                trial,
                frame,
                (span.start, span.end),
                "a function starts itself more than once: a fork bomb",
            );
        }
    }
    floods::look(trial, script, text, frame);
    if !endless_loop(text) {
        return;
    }
    for command in script.commands.iter().filter(|command| command.in_loop && command.background) {
        let span = (command.span.start, command.span.end);
        bomb(trial, frame, span, "an endless loop starts processes and never waits for them");
    }
    let sleeps = script
        .commands
        .iter()
        .any(|command| command.in_loop && PAUSES.iter().any(|pause| starts(command, pause)));
    let appends = script.commands.iter().find(|command| {
        command.in_loop && (writes(command) || MAKERS.iter().any(|maker| starts(command, maker)))
    });
    if let Some(command) = appends.filter(|_| !sleeps) {
        trial.found(Finding {
            class: Class::Ask,
            rule: "endless-append".to_owned(),
            category: "resource_exhaustion".to_owned(),
            reason: "an endless loop writes without a pause".to_owned(),
            span: frame.span.unwrap_or((command.span.start, command.span.end)),
        });
    }
}

/// What an endless loop waits for, or ends with.
pub(super) const PAUSES: &[&str] =
    &["sleep", "read", "wait", "break", "exit", "return", "inotifywait", "timeout", "select", "nc", "usleep"];

/// Programs that make something new, each time they are called.
const MAKERS: &[&str] = &["mkdir", "mktemp", "fallocate", "mkfifo", "mknod"];

fn writes(command: &Command) -> bool {
    command.redirects.iter().any(|redirect| {
        matches!(redirect.kind, RedirectKind::Append | RedirectKind::Write)
            && !redirect.target.literal().is_some_and(|file| file.starts_with("/dev/"))
    })
}

pub(super) fn starts(command: &Command, name: &str) -> bool {
    command.words.first().is_some_and(|word| {
        let shown = word.shown();
        shown == name || base_name(&shown) == name
    })
}

fn bomb(trial: &mut Trial<'_>, frame: &Frame, span: (usize, usize), reason: &str) {
    trial.found(Finding {
        class: Class::Deny,
        rule: "fork-bomb".to_owned(),
        category: "resource_exhaustion".to_owned(),
        reason: reason.to_owned(),
        span: frame.span.unwrap_or(span),
    });
}

/// `while true`, `while :`, `until false`, `for ((;;))`, `while [ 1 ]`.
fn endless_loop(text: &str) -> bool {
    const WHILE: &[&str] = &[
        ":",
        "true",
        "/bin/true",
        "/usr/bin/true",
        "!false",
        "((1))",
        "[1]",
        "[[1]]",
        "test1",
        "[true]",
        "[[true]]",
    ];
    if !text.contains("while") && !text.contains("until") && !text.contains("for") {
        return false;
    }
    let squeezed: String = text.chars().filter(|c| !c.is_whitespace() && *c != '"' && *c != '\'').collect();
    let after = |word: &str, conditions: &[&str]| {
        squeezed.match_indices(word).any(|(place, _)| {
            let rest = squeezed.get(place + word.len()..).unwrap_or("");
            conditions.iter().any(|condition| {
                rest.strip_prefix(condition).is_some_and(|rest| rest.starts_with([';', 'd', '&', '|']))
            })
        })
    };
    squeezed.contains("for((;;))")
        || after("while", WHILE)
        || after("until", &["false", "/bin/false", "((0))", "!true", "[0-eq1]"])
}
