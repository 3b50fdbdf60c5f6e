//! The chain of strategies: exact first, then differences that cannot change meaning, then refusal. The
//! first strategy that finds anything decides, so a looser one never overrules a stricter one.

use std::ops::Range;

use super::blanks;
use super::blocks;
use super::both;
use super::candidates::{Candidate, nearest};
use super::characters::{Characters, cuts_word};
use super::composed;
use super::depth;
use super::endings::{edited, ends_in_returns, without_carriage_returns};
use super::escapes::{unescaped, unquoted};
use super::gist::could_fit;
use super::punctuation::{Dash, keep_punctuation, plain};

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
        // A line that `new` repeats further down would leave its block: all its lines must be shifted with the first.
        Some(Ok(made)) if !made.strategy.contains(INDENTATION.0) && depth::is_left(content, old, new) => {
            match tolerantly(content, old, new, all, &[INDENTATION]) {
                Some(Ok(shifted)) if shifted.count < made.count => {}
                Some(decided) => return decided,
                None => {}
            }
        }
        Some(decided) => return decided,
        None => {}
    }
    if unquoted(old).is_some_and(|read| content.contains(&read)) {
        return refused(RefusalKind::EscapeDrift);
    }
    Err(Refusal { kind: RefusalKind::NotFound, lines: Vec::new(), candidates: nearest(content, old) })
}

/// What the first strategy decides that finds anything.
fn tolerantly(
    content: &str,
    old: &str,
    new: &str,
    all: bool,
    strategies: &[(&'static str, Find)],
) -> Option<Result<Replaced, Refusal>> {
    let strategies = match could_fit(content, old) {
        true => strategies,
        false if old.is_ascii() && !old.contains('\\') => return None,
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
) -> Option<Result<Replaced, Refusal>> {
    let mut characters = Characters::of(content);
    found.retain(|(range, _)| !characters.cuts(range));
    // Who looks past blanks or signs does not look into words besides. Of several places such a one still counts.
    let is_literal = matches!(strategy, "exact" | LINE_ENDINGS);
    if !is_literal && (all || found.len() == 1) {
        found.retain(|(range, _)| !cuts_word(content, range));
    }
    match found.as_slice() {
        [] => None,
        [_, _, ..] if !all => Some(Err(ambiguous(content, &found))),
        _ => Some(Ok(Replaced { content: edited(content, &found), count: found.len(), strategy })),
    }
}

pub(super) type Find = fn(&str, &str, &str) -> Vec<Edit>;

const LINE_ENDINGS: &str = "line endings";

const INDENTATION: (&str, Find) = ("indentation", |content, old, new| blocks_of(content, old, new, true));

/// What may differ beside the line endings, in the order it is tried.
pub(super) const TOLERANT: &[(&str, Find)] = &[
    (LINE_ENDINGS, at_their_depth),
    ("trailing blanks", |content, old, new| blocks_of(content, old, new, false)),
    INDENTATION,
    ("blanks between words", blanks_between_words),
    ("typographic punctuation", |content, old, new| typographic(content, old, new, Dash::Single)),
    ("typographic punctuation", |content, old, new| typographic(content, old, new, Dash::Double)),
    ("composed characters", composed_characters),
    ("escapes", escapes),
    ("typographic punctuation and trailing blanks", |content, old, new| {
        both::find_all(content, old, new, false)
    }),
    ("typographic punctuation and indentation", |content, old, new| both::find_all(content, old, new, true)),
];

/// The places of the very bytes. Not one of them counts if a newline would be cut off its carriage return, or if another
/// place differs by its line endings only, which nobody sees who reads: then all are looked for by their lines.
fn letter_for_letter(content: &str, old: &str, new: &str) -> Vec<Edit> {
    let found = at_their_depth(content, old, new);
    let cuts = |(range, _): &Edit| content.get(..range.start).is_some_and(|before| before.ends_with('\r'));
    let is_cut = old.starts_with('\n') && found.iter().any(cuts);
    if is_cut || has_others_alike(content, old, new, found.len()) { Vec::new() } else { found }
}

/// Whether a text stands in more places than those found. Who writes out a carriage return says which are meant.
fn has_others_alike(content: &str, old: &str, new: &str, found: usize) -> bool {
    found > 0
        && old.contains('\n')
        && !old.contains('\r')
        && content.contains("\r\n")
        && at_their_depth(&without_carriage_returns(content).text, old, new).len() > found
}

fn at_their_depth(content: &str, old: &str, new: &str) -> Vec<Edit> {
    let found = exact(content, old, new).into_iter();
    found.filter(|(range, _)| !begins_inside_indentation(content, range, old, new)).collect()
}

/// `    x` stands in `        x` too, but there it is a line at another depth: further lines must be shifted with it, and
/// if it goes, so must the rest of its indentation, which would come before the next line's.
fn begins_inside_indentation(content: &str, range: &Range<usize>, old: &str, new: &str) -> bool {
    let one_line = |text: &str| !text.strip_suffix('\n').unwrap_or(text).contains('\n');
    let goes = new.is_empty() && old.ends_with('\n');
    old.starts_with([' ', '\t'])
        && one_line(old)
        && (goes || !one_line(new))
        && depth::is_behind_blanks(content, range.start)
}

/// Of those the ones that may find a text by other letters than its own.
pub(super) const OTHER_LETTERS: &[(&str, Find)] =
    &[("composed characters", composed_characters), ("escapes", escapes)];

fn exact(content: &str, old: &str, new: &str) -> Vec<Edit> {
    content.match_indices(old).map(|(at, found)| (at..at + found.len(), new.to_owned())).collect()
}

fn blocks_of(content: &str, old: &str, new: &str, reindent: bool) -> Vec<Edit> {
    let found = blocks::find_all(content, old, new, reindent);
    found.into_iter().map(|block| (block.range, block.new)).collect()
}

fn blanks_between_words(content: &str, old: &str, new: &str) -> Vec<Edit> {
    let kept = |range: Range<usize>| {
        let new = blanks::keep_blanks(content.get(range.clone()).unwrap_or_default(), old, new);
        (range, new)
    };
    blanks::find_all(content, old).into_iter().map(kept).collect()
}

fn typographic(content: &str, old: &str, new: &str, dash: Dash) -> Vec<Edit> {
    // Both sides are seen plainly, so that either may be the typographic one.
    let wanted = plain(old, dash).text;
    let kept = |range: Range<usize>| {
        let region = content.get(range.clone()).unwrap_or_default();
        let new = keep_punctuation(region, old, new, dash);
        (range, new)
    };
    plain(content, dash).find_all(&wanted).into_iter().map(kept).collect()
}

fn composed_characters(content: &str, old: &str, new: &str) -> Vec<Edit> {
    let kept = |range: Range<usize>| {
        let region = content.get(range.clone()).unwrap_or_default();
        let new = composed::keep_accents(region, old, new);
        (range, new)
    };
    composed::find_all(content, old).into_iter().map(kept).collect()
}

fn escapes(content: &str, old: &str, new: &str) -> Vec<Edit> {
    unescaped(old, new).map_or_else(Vec::new, |(old, new)| exact(content, &old, &new))
}

fn ambiguous(content: &str, edits: &[Edit]) -> Refusal {
    let line_of = |at: usize| content.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let lines = edits.iter().take(20).map(|(range, _)| line_of(range.start)).collect();
    Refusal { kind: RefusalKind::Ambiguous, lines, candidates: Vec::new() }
}
