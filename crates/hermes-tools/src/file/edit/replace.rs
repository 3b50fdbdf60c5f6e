//! The chain of strategies: exact first, then differences that cannot change meaning, then refusal. The
//! first strategy that finds anything decides, so a looser one never overrules a stricter one.

use std::ops::Range;

use super::blanks;
use super::blocks;
use super::candidates::{Candidate, nearest};
use super::composed;
use super::endings::{keep_endings, without_carriage_returns};
use super::escapes::{unescaped, unquoted};
use super::punctuation::{keep_punctuation, plain};

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
type Edit = (Range<usize>, String);

/// Replaces `old` by `new`: its one place, or with `all` every place the deciding strategy finds.
pub(crate) fn replace(content: &str, old: &str, new: &str, all: bool) -> Result<Replaced, Refusal> {
    let refuse = |kind| Err(Refusal { kind, lines: Vec::new(), candidates: Vec::new() });
    if old.is_empty() {
        return refuse(RefusalKind::EmptyOld);
    }
    if old == new {
        return refuse(RefusalKind::Identical);
    }
    for (strategy, find) in STRATEGIES {
        let edits = find(content, old, new);
        match edits.as_slice() {
            [] => continue,
            [_, _, ..] if !all => return Err(ambiguous(content, &edits)),
            _ => return Ok(apply(content, edits, strategy)),
        }
    }
    if unquoted(old).is_some_and(|read| content.contains(&read)) {
        return refuse(RefusalKind::EscapeDrift);
    }
    Err(Refusal { kind: RefusalKind::NotFound, lines: Vec::new(), candidates: nearest(content, old) })
}

type Find = fn(&str, &str, &str) -> Vec<Edit>;

const STRATEGIES: &[(&str, Find)] = &[
    ("exact", exact),
    ("line endings", line_endings),
    ("trailing blanks", trailing_blanks),
    ("indentation", indentation),
    ("blanks between words", blanks_between_words),
    ("typographic punctuation", typographic),
    ("composed characters", composed_characters),
    ("escapes", escapes),
];

fn exact(content: &str, old: &str, new: &str) -> Vec<Edit> {
    content.match_indices(old).map(|(at, found)| edit(content, at..at + found.len(), new)).collect()
}

fn line_endings(content: &str, old: &str, new: &str) -> Vec<Edit> {
    let wanted = old.replace("\r\n", "\n");
    let found = without_carriage_returns(content).find_all(&wanted);
    found.into_iter().map(|range| edit(content, range, new)).collect()
}

fn trailing_blanks(content: &str, old: &str, new: &str) -> Vec<Edit> {
    blocks_of(content, old, new, false)
}

fn indentation(content: &str, old: &str, new: &str) -> Vec<Edit> {
    blocks_of(content, old, new, true)
}

fn blocks_of(content: &str, old: &str, new: &str, reindent: bool) -> Vec<Edit> {
    let (old, new) = (old.replace("\r\n", "\n"), new.replace("\r\n", "\n"));
    let found = blocks::find_all(content, &old, &new, reindent);
    found.into_iter().map(|block| edit(content, block.range, &block.new)).collect()
}

fn blanks_between_words(content: &str, old: &str, new: &str) -> Vec<Edit> {
    blanks::find_all(content, old).into_iter().map(|range| edit(content, range, new)).collect()
}

fn typographic(content: &str, old: &str, new: &str) -> Vec<Edit> {
    // Both sides are seen plainly, so that either may be the typographic one.
    let wanted = plain(old).text;
    let found = plain(content).find_all(&wanted);
    let kept = |range: Range<usize>| {
        let region = content.get(range.clone()).unwrap_or_default();
        let new = keep_punctuation(region, &wanted, &plain(new).text);
        (range, new)
    };
    found.into_iter().map(kept).collect()
}

fn composed_characters(content: &str, old: &str, new: &str) -> Vec<Edit> {
    let found = composed::find_all(content, old);
    let kept = |range: Range<usize>| {
        let region = content.get(range.clone()).unwrap_or_default();
        edit(content, range, &composed::as_in(region, new))
    };
    found.into_iter().map(kept).collect()
}

fn escapes(content: &str, old: &str, new: &str) -> Vec<Edit> {
    let Some(wanted) = unescaped(old) else { return Vec::new() };
    exact(content, &wanted, &unescaped(new).unwrap_or_else(|| new.to_owned()))
}

fn edit(content: &str, range: Range<usize>, new: &str) -> Edit {
    let replaced = content.get(range.clone()).unwrap_or_default();
    (range, keep_endings(new, replaced, content))
}

fn apply(content: &str, edits: Vec<Edit>, strategy: &'static str) -> Replaced {
    let mut changed = String::with_capacity(content.len());
    let mut from = 0;
    let count = edits.len();
    for (range, new) in edits {
        changed.push_str(content.get(from..range.start).unwrap_or_default());
        changed.push_str(&new);
        from = range.end;
    }
    changed.push_str(content.get(from..).unwrap_or_default());
    Replaced { content: changed, count, strategy }
}

fn ambiguous(content: &str, edits: &[Edit]) -> Refusal {
    let line_of = |at: usize| content.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let lines = edits.iter().take(20).map(|(range, _)| line_of(range.start)).collect();
    Refusal { kind: RefusalKind::Ambiguous, lines, candidates: Vec::new() }
}
