//! The arrangement of several commands: who feeds whom, what runs in the background, what stands in which
//! function. Names of functions play no part.

use super::wildcard::Wildcard;
use crate::shell::Script;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    words: Vec<String>,
    feeds_next: bool,
    background: bool,
    in_function: bool,
}

impl Shape {
    pub(super) fn of(script: &Script) -> Self {
        let rename = |text: String| match script.functions.iter().position(|function| function.name == text) {
            Some(place) => format!("\u{0}{place}"),
            None => text,
        };
        let step = |(place, command): (usize, &crate::shell::Command)| Step {
            words: command.words.iter().map(|word| rename(word.shown())).collect(),
            feeds_next: command.feeds == Some(place + 1),
            background: command.background,
            in_function: command.in_function.is_some(),
        };
        Shape { steps: script.commands.iter().enumerate().map(step).collect() }
    }

    /// Whether this arrangement stands somewhere in the other.
    pub(super) fn is_in(&self, other: &Shape) -> bool {
        let fits = |window: &[Step]| self.steps.iter().zip(window).all(|(wanted, given)| wanted.fits(given));
        !self.steps.is_empty() && other.steps.windows(self.steps.len()).any(fits)
    }
}

impl Step {
    /// Wildcards stand for any letters of a word, and a `*` at the end for any words.
    fn fits(&self, given: &Step) -> bool {
        let (wanted, open) = match self.words.split_last() {
            Some((last, before)) if last == "*" && !before.is_empty() => (before, true),
            _ => (self.words.as_slice(), false),
        };
        let enough = if open { given.words.len() >= wanted.len() } else { given.words.len() == wanted.len() };
        let same = |(wanted, given): (&String, &String)| Wildcard::new(wanted.as_str()).matches(given);
        enough
            && wanted.iter().zip(&given.words).all(same)
            && (self.feeds_next, self.background, self.in_function)
                == (given.feeds_next, given.background, given.in_function)
    }
}
