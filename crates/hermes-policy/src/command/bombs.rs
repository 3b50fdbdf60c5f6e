//! Fork bombs: functions that start themselves, loops that start something again and again.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::args::base_name;
use super::floods;
use super::model::{Class, Finding};
use super::scene::Frame;
use super::trial::Trial;
use crate::shell::{Command, RedirectKind, Script};

pub(crate) fn look(trial: &mut Trial<'_>, script: &Script, text: &str, frame: &Frame) {
    for recursion in recursions(script).into_values().filter(Recursion::is_bomb) {
        let span = (recursion.span.start, recursion.span.end);
        bomb(trial, frame, span, "a function starts itself more than once: a fork bomb");
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

/// How a function starts itself.
struct Recursion {
    /// Where it does, each place once.
    places: BTreeSet<usize>,
    /// Any of that runs beside it.
    spreads: bool,
    /// Beside it for sure, however it ends: in the background, or in a pipe with itself.
    multiplies: bool,
    /// Each time with words, that may become fewer.
    counts: bool,
    /// Something in it says when to stop.
    ends: bool,
    span: Range<usize>,
}

impl Recursion {
    /// What knows when to stop is a calculation or a walk through folders.
    fn is_bomb(&self) -> bool {
        let unbound = !self.ends && (self.spreads || self.places.len() >= 2);
        self.multiplies || unbound || (self.spreads && !self.counts)
    }
}

fn recursions(script: &Script) -> HashMap<usize, Recursion> {
    let mut found: HashMap<usize, Recursion> = HashMap::new();
    let mut stopping = HashSet::new();
    for command in &script.commands {
        let Some(place) = command.in_function else { continue };
        let Some(function) = script.functions.get(place) else { continue };
        if command.conditional && STOPS.iter().any(|stop| starts(command, stop)) {
            stopping.insert(place);
        }
        if !starts(command, &function.name) {
            continue;
        }
        let itself = |at: Option<usize>| {
            at.and_then(|at| script.commands.get(at)).is_some_and(|other| starts(other, &function.name))
        };
        let seen = found.entry(place).or_insert_with(|| Recursion {
            places: BTreeSet::new(),
            spreads: false,
            multiplies: false,
            counts: true,
            ends: false,
            span: command.span.clone(),
        });
        seen.places.insert(command.span.start);
        seen.multiplies |= command.background || itself(command.feeds) || itself(command.reads_from);
        seen.spreads |= command.feeds.is_some() || command.reads_from.is_some() || command.in_substitution;
        seen.counts &= command.words.len() >= 2;
        seen.ends |= command.conditional;
    }
    for (place, recursion) in &mut found {
        recursion.ends |= stopping.contains(place);
    }
    found
}

/// What ends a function.
const STOPS: &[&str] = &["return", "exit"];

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
