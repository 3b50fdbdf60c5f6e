//! The chain of strategies: exact first, then differences that cannot change meaning, then refusal. The
//! first strategy that finds anything decides, so a looser one never overrules a stricter one.

use std::borrow::Cow;
use std::ops::Range;

use super::candidates::{Candidate, nearest};
use super::characters::Characters;
use super::depth;
use super::endings::{edited, ends_in_returns, without_carriage_returns};
use super::escapes::{unescaped, unquoted};
use super::gist::could_fit;
use super::places::apart;
use super::strategies::{
    ESCAPES, Find, LINE_ENDINGS, OTHER_LETTERS, SHIFTED, TOLERANT, begins_inside_indentation,
    letter_for_letter,
};
use super::tokens::cuts_token;

/// A replacement that was made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Replaced {
    pub(crate) content: String,
    pub(crate) count: usize,
    /// How the text was found: `exact`, or what was tolerated.
    pub(crate) strategy: &'static str,
}

/// A replacement that was not made, and what would help.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) kind: RefusalKind,
    /// The lines where the text stands, if it stands in several places; counted from 1.
    pub(crate) lines: Vec<usize>,
    pub(crate) candidates: Vec<Candidate>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusalKind {
    NotFound,
    Ambiguous,
    EmptyOld,
    Identical,
    EscapeDrift,
}

/// A part of the file and what it becomes.
pub(super) type Edit = (Range<usize>, String);

/// Replaces `old` by `new`: its one place, or with `all` every place the deciding strategy finds.
pub(crate) fn replace(content: &str, old: &str, new: &str, all: bool) -> Result<Replaced, Refusal> {
    let made = if ends_in_returns(content) {
        let plain = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
        replaced(&plain(content), &plain(old), &plain(new), all).map(|made| Replaced {
            content: made.content.replace('\n', "\r"),
            strategy: if made.strategy == "exact" && old.contains('\n') {
                LINE_ENDINGS
            } else {
                made.strategy
            },
            ..made
        })
    } else {
        replaced(content, old, new, all)
    };
    match made {
        // But for line endings, which stay the file's.
        Ok(made) if made.content == content => refused(RefusalKind::Identical),
        made => made,
    }
}

fn refused<T>(kind: RefusalKind) -> Result<T, Refusal> {
    Err(Refusal { kind, lines: Vec::new(), candidates: Vec::new() })
}

fn replaced(content: &str, old: &str, new: &str, all: bool) -> Result<Replaced, Refusal> {
    // A byte-order mark is the file's own, not a part of its text.
    let unmarked = |text| str::strip_prefix(text, '\u{feff}').unwrap_or(text);
    let (old, new) = if content.contains('\u{feff}') { (old, new) } else { (unmarked(old), unmarked(new)) };
    if old.is_empty() {
        return refused(RefusalKind::EmptyOld);
    }
    if old.replace("\r\n", "\n") == new.replace("\r\n", "\n") {
        return refused(RefusalKind::Identical);
    }
    let decided = decide(content, "exact", letter_for_letter(content, old, new), all)
        .or_else(|| tolerantly(content, old, new, all, TOLERANT));
    match decided {
        Some(Ok(found)) if found.leaves_depth(content, old, new) => {
            // The lines must all be shifted with the first.
            let (old, new) = found.read(old, new);
            match tolerantly(content, &old, &new, all, SHIFTED) {
                Some(Ok(shifted)) if shifted.edits.len() < found.edits.len() => {}
                Some(decided) => return decided.map(|found| found.made(content)),
                None => {}
            }
        }
        Some(decided) => return decided.map(|found| found.made(content)),
        None => {}
    }
    if unquoted(old).is_some_and(|read| content.contains(&read)) {
        return refused(RefusalKind::EscapeDrift);
    }
    Err(Refusal { kind: RefusalKind::NotFound, lines: Vec::new(), candidates: nearest(content, old) })
}

/// The places that a strategy decided for, and what becomes of them.
struct Found {
    edits: Vec<Edit>,
    strategy: &'static str,
}

impl Found {
    fn made(self, content: &str) -> Replaced {
        let Found { edits, strategy } = self;
        Replaced { content: edited(content, &edits), count: edits.len(), strategy }
    }

    /// Whether a line that `new` repeats further down would leave its block.
    fn leaves_depth(&self, content: &str, old: &str, new: &str) -> bool {
        let is_shifted = SHIFTED.iter().any(|(strategy, _)| *strategy == self.strategy);
        let (old, new) = self.read(old, new);
        !is_shifted
            && depth::is_left(&old, &new)
            && self.edits.iter().any(|(range, _)| depth::is_behind_blanks(content, range.start))
    }

    /// The two texts as the strategy has read them.
    fn read<'a>(&self, old: &'a str, new: &'a str) -> (Cow<'a, str>, Cow<'a, str>) {
        let read = if self.strategy == ESCAPES.0 { unescaped(old, new) } else { None };
        read.map_or((old.into(), new.into()), |(old, new)| (old.into(), new.into()))
    }
}

/// What the first strategy decides that finds anything.
fn tolerantly(
    content: &str,
    old: &str,
    new: &str,
    all: bool,
    strategies: &[(&'static str, Find)],
) -> Option<Result<Found, Refusal>> {
    let strategies = match could_fit(content, old) {
        true => strategies,
        false if !old.contains('\\') => return None,
        false => OTHER_LETTERS,
    };
    let lines = without_carriage_returns(content);
    let (old, new) = (old.replace("\r\n", "\n"), new.replace("\r\n", "\n"));
    let place = |(range, new): Edit| Some((lines.original(range)?, new));
    strategies.iter().find_map(|(strategy, find)| {
        let found = find(&lines.text, &old, &new).into_iter();
        let found = found.filter(|(range, _)| !begins_inside_indentation(&lines.text, range, &old, &new));
        let found = found.filter_map(place).collect();
        decide(content, strategy, found, all)
    })
}

/// What a strategy makes of the places it found; `None` if there are none.
fn decide(
    content: &str,
    strategy: &'static str,
    mut found: Vec<Edit>,
    all: bool,
) -> Option<Result<Found, Refusal>> {
    let mut characters = Characters::of(content);
    found.retain(|(range, _)| !characters.cuts(range));
    if all {
        apart(&mut found);
    }
    // Who looks past blanks or signs does not cut words or signs besides. Of several places such a one still counts.
    let is_literal = matches!(strategy, "exact" | LINE_ENDINGS);
    if !is_literal && (all || found.len() == 1) {
        found.retain(|(range, _)| !cuts_token(content, range));
    }
    match found.as_slice() {
        [] => None,
        [_, _, ..] if !all => Some(Err(ambiguous(content, &found))),
        _ => Some(Ok(Found { edits: found, strategy })),
    }
}

fn ambiguous(content: &str, edits: &[Edit]) -> Refusal {
    let line_of = |at: usize| content.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let lines = edits.iter().take(20).map(|(range, _)| line_of(range.start)).collect();
    Refusal { kind: RefusalKind::Ambiguous, lines, candidates: Vec::new() }
}
