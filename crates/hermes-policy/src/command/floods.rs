//! Loops that end, but only after starting more processes than a machine can hold.

use super::bombs::{PAUSES, starts};
use super::model::{Class, Finding};
use super::scene::Frame;
use super::trial::Trial;
use crate::shell::Script;

/// More processes at once than any work needs.
const MANY: u64 = 1_000;

/// A counted loop whose every round leaves a process behind, without a pause or a wait.
pub(crate) fn look(trial: &mut Trial<'_>, script: &Script, text: &str, frame: &Frame) {
    let Some(started) = script.commands.iter().find(|command| command.in_loop && command.background) else {
        return;
    };
    let paced = script.commands.iter().any(|command| {
        command.in_loop && !command.background && PAUSES.iter().any(|pause| starts(command, pause))
    });
    if paced || rounds(text) < MANY {
        return;
    }
    trial.found(Finding {
        class: Class::Ask,
        rule: "process-flood".to_owned(),
        category: "resource_exhaustion".to_owned(),
        reason: "a loop starts thousands of processes and never waits for them".to_owned(),
        span: frame.span.unwrap_or((started.span.start, started.span.end)),
    });
}

/// How often the longest loop runs, as far as its head says.
fn rounds(text: &str) -> u64 {
    let braces = text.match_indices("..").map(|(place, _)| {
        let front = text.get(..place).unwrap_or("");
        span(number_before(front), number_after(text.get(place + 2..).unwrap_or("")))
    });
    let counted = text.match_indices("seq ").map(|(place, _)| sequence(text.get(place + 4..).unwrap_or("")));
    let compared = ["<=", "<", "-lt", "-le", "-ne", ">", "-gt", "="].into_iter().flat_map(|sign| {
        text.match_indices(sign)
            .map(move |(place, _)| number_after(text.get(place + sign.len()..).unwrap_or("")).unwrap_or(0))
    });
    braces.chain(counted).chain(compared).max().unwrap_or(0)
}

fn span(first: Option<u64>, last: Option<u64>) -> u64 {
    first.zip(last).map_or(0, |(first, last)| first.abs_diff(last))
}

/// `seq LAST`, `seq FIRST LAST`, `seq FIRST STEP LAST`.
pub(super) fn sequence(text: &str) -> u64 {
    let words = text.split([')', ';', '|', '`', '\n']).next().unwrap_or("").split_whitespace();
    let numbers: Vec<u64> = words.filter_map(|word| number(word.trim_matches('"'))).take(3).collect();
    match numbers.as_slice() {
        [last] => *last,
        [first, last] => first.abs_diff(*last),
        [first, step, last] => first.abs_diff(*last) / (*step).max(1),
        _ => 0,
    }
}

/// `1000000`, and `1e6` as `seq` reads it.
fn number(word: &str) -> Option<u64> {
    let (digits, power) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    digits.parse::<u64>().ok()?.checked_mul(10u64.checked_pow(power.parse().ok()?)?)
}

fn number_after(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

fn number_before(text: &str) -> Option<u64> {
    let start = text.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |place| place + 1);
    text.get(start..)?.parse().ok()
}
