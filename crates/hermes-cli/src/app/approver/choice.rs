//! What a person may answer at the prompt.

use super::duration;
use super::terms::{Reach, Terms};

/// More uses than this are no budget.
const MOST_TIMES: u64 = 10_000;

/// An answer as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Once,
    Keep(Terms),
    /// Wants a number of times, and has not said it yet.
    Times,
    /// Wants a time, and has not said it yet.
    Until,
    View,
    Deny,
    Unclear(String),
}

/// Reads a line. No text at all is a no.
pub(super) fn read(line: &str) -> Choice {
    let line = line.trim().to_lowercase();
    let (word, rest) = match line.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (line.as_str(), ""),
    };
    match (word, rest) {
        ("", _) | ("d" | "deny" | "n" | "no", "") => Choice::Deny,
        ("o" | "once" | "y" | "yes", "") => Choice::Once,
        ("s" | "session", "") => Choice::Keep(Terms::reaching(Reach::Session)),
        ("p" | "project", "") => Choice::Keep(Terms::reaching(Reach::Project)),
        ("a" | "always", "") => Choice::Keep(Terms::reaching(Reach::Always)),
        ("v" | "view", "") => Choice::View,
        ("t" | "times", "") => Choice::Times,
        ("t" | "times", count) => times(count),
        ("u" | "until", "") => Choice::Until,
        ("u" | "until" | "for", span) => until(span),
        _ => Choice::Unclear(format!("'{line}' is none of the choices")),
    }
}

/// A number of times, the call at hand included.
pub(super) fn times(text: &str) -> Choice {
    match text.trim().parse() {
        Ok(times @ 1..=MOST_TIMES) => {
            Choice::Keep(Terms { times: Some(times), ..Terms::reaching(Reach::Project) })
        }
        _ => Choice::Unclear(format!("'{}' is no number from 1 to {MOST_TIMES}", text.trim())),
    }
}

/// A span of time from now.
pub(super) fn until(text: &str) -> Choice {
    match duration::parse(text) {
        Ok(ms) => Choice::Keep(Terms { lifetime_ms: Some(ms), ..Terms::reaching(Reach::Project) }),
        Err(problem) => Choice::Unclear(problem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clear_words_are_a_yes() {
        for line in ["", "  ", "\n", "d", "D\n", "n", "N\n", "no", "No", "deny"] {
            assert_eq!(read(line), Choice::Deny, "{line:?}");
        }
        for line in ["o", " O \n", "once", "yes"] {
            assert_eq!(read(line), Choice::Once, "{line:?}");
        }
        for line in
            ["x", "always please", "t many", "t 0", "n 3", "n yes", "u soon", "oo", "\u{1b}[A", "o d", "for"]
        {
            assert!(matches!(read(line), Choice::Unclear(_)), "{line:?}");
        }
        assert_eq!(read("t 3"), Choice::Keep(Terms { times: Some(3), ..Terms::reaching(Reach::Project) }));
        assert_eq!(
            read("u 10m"),
            Choice::Keep(Terms { lifetime_ms: Some(600_000), ..Terms::reaching(Reach::Project) })
        );
        assert_eq!((read("t"), read("u")), (Choice::Times, Choice::Until));
    }
}
