//! How a text is found: letter for letter, or past differences that cannot change meaning. Each strategy says what is to
//! stand where it finds something.

use std::ops::Range;

use super::blanks;
use super::blocks;
use super::combined;
use super::composed;
use super::depth;
use super::endings::without_carriage_returns;
use super::escapes::unescaped;
use super::places::places;
use super::punctuation::{Dash, keep_punctuation, plain};
use super::replace::Edit;

pub(super) type Find = fn(&str, &str, &str) -> Vec<Edit>;

pub(super) const LINE_ENDINGS: &str = "line endings";

const INDENTATION: (&str, Find) = ("indentation", |content, old, new| blocks_of(content, old, new, true));

const SIGNS: (&str, Find) =
    ("signs and trailing blanks", |content, old, new| combined::find_all(content, old, new, false));

const SIGNS_AND_INDENTATION: (&str, Find) =
    ("signs and indentation", |content, old, new| combined::find_all(content, old, new, true));

pub(super) const ESCAPES: (&str, Find) = ("escapes", escapes);

/// What puts whole lines at the depth of those they are found as.
pub(super) const SHIFTED: &[(&str, Find)] = &[INDENTATION, SIGNS_AND_INDENTATION];

/// What may differ beside the line endings, in the order it is tried.
pub(super) const TOLERANT: &[(&str, Find)] = &[
    (LINE_ENDINGS, letters),
    ("trailing blanks", |content, old, new| blocks_of(content, old, new, false)),
    INDENTATION,
    ("blanks between words", blanks_between_words),
    ("typographic punctuation", |content, old, new| typographic(content, old, new, Dash::Single)),
    ("typographic punctuation", |content, old, new| typographic(content, old, new, Dash::Double)),
    ("composed characters", composed_characters),
    ESCAPES,
    SIGNS,
    SIGNS_AND_INDENTATION,
];

/// The places of the very bytes. Not one of them counts if a newline would be cut off its carriage return, or if another
/// place differs by its line endings only, which nobody sees who reads: then all are looked for by their lines.
pub(super) fn letter_for_letter(content: &str, old: &str, new: &str) -> Vec<Edit> {
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

/// `    x` stands in `        x` too, but there it is a line at another depth: further lines of `old` do not stand to it
/// as they say, those of `new` must be shifted with it, and if it goes, so must the rest of its indentation, which would
/// come before the next line's.
pub(super) fn begins_inside_indentation(content: &str, range: &Range<usize>, old: &str, new: &str) -> bool {
    let one_line = |text: &str| !text.strip_suffix('\n').unwrap_or(text).contains('\n');
    let goes = new.is_empty() && old.ends_with('\n');
    old.starts_with([' ', '\t'])
        && (goes || !one_line(old) || !one_line(new))
        && depth::is_behind_blanks(content, range.start)
}

/// Of those the one that finds a text by other letters than its own.
pub(super) const OTHER_LETTERS: &[(&str, Find)] = &[ESCAPES];

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

fn letters(content: &str, old: &str, new: &str) -> Vec<Edit> {
    places(content, old).into_iter().map(|place| (place, new.to_owned())).collect()
}

fn escapes(content: &str, old: &str, new: &str) -> Vec<Edit> {
    unescaped(old, new).map_or_else(Vec::new, |(old, new)| letters(content, &old, &new))
}
