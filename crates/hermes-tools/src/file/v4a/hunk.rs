//! Applies one hunk to the lines of a file: where exactly, or not at all.

use super::block::{block_end, is_below_another};
use super::headings::{elsewhere, scope, settled};
use super::insert::insert;
use super::marker::{with_additions_below_edge, with_additions_in_place};
use super::parse::{Hunk, Line};
use super::splice::{is_change, splice};
use crate::file::edit::{
    bare, could_fit, is_composed_alike, is_plainly_same, is_same_but_for_blanks, lines_spanned, nearest,
    places_seen_as, split, with_ending,
};

/// A file as lines with their own endings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) lines: Vec<String>,
    pub(super) endings: Vec<&'static str>,
    /// How many lines there were before the patch.
    pub(super) had: usize,
    /// Whether `#` begins a heading.
    pub(super) is_markdown: bool,
}

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        let mut lines = Lines { lines: Vec::new(), endings: Vec::new(), had: 0, is_markdown: false };
        for line in text.split_inclusive('\n') {
            let (bare, ending) = with_ending(line);
            lines.lines.push(bare.to_owned());
            lines.endings.push(ending);
        }
        lines.had = lines.lines.len();
        lines
    }

    pub(super) fn text(&self) -> String {
        self.lines.iter().zip(&self.endings).flat_map(|(line, ending)| [line.as_str(), ending]).collect()
    }
}

/// How far a line of the file may differ from the patch's, strictest first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tolerance {
    Exact,
    /// The patch leaves out the space in front of context lines.
    LeftOutSpace,
    TrailingBlanks,
    Indentation,
    BlanksBetweenWords,
    Punctuation,
    Composition,
    /// Both of these, and blanks behind the line.
    Signs,
    SignsAndIndentation,
}

const TOLERANCES: [Tolerance; 9] = [
    Tolerance::Exact,
    Tolerance::LeftOutSpace,
    Tolerance::TrailingBlanks,
    Tolerance::Indentation,
    Tolerance::BlanksBetweenWords,
    Tolerance::Punctuation,
    Tolerance::Composition,
    Tolerance::Signs,
    Tolerance::SignsAndIndentation,
];

/// Applies the hunk at or after `from`, with no tolerance if it must fit `exactly`; returns where the next one may begin.
pub(super) fn apply(file: &mut Lines, hunk: &Hunk, from: usize, exactly: bool) -> Result<usize, String> {
    let next = put_in(file, hunk, from, exactly)?;
    hunk.last_line.settle(file);
    Ok(next)
}

fn put_in(file: &mut Lines, hunk: &Hunk, from: usize, exactly: bool) -> Result<usize, String> {
    let tolerances = if exactly { &TOLERANCES[..1] } else { &TOLERANCES[..] };
    let scope = scope(file, hunk, from)?;
    // A bare blank line at either end may only separate parts of the patch; below additions it does.
    let trimmed = without_outer_blanks(&hunk.lines);
    if old_lines(trimmed).is_empty() && hunk.lines.first() != Some(&Line::Blank) {
        return insert(file, hunk, scope, exactly);
    }
    let start = scope.map_or(from, |(start, _)| start);
    // Of blank lines alone every one counts: which of them only separate, nobody can tell.
    let is_trimmed =
        trimmed.len() < hunk.lines.len() && old_lines(trimmed).iter().any(|line| !line.trim().is_empty());
    for lines in std::iter::once(hunk.lines.as_slice()).chain(is_trimmed.then_some(trimmed)) {
        let spaced = with_left_out_space(lines);
        for tolerance in tolerances.iter().copied() {
            let lines = if tolerance == Tolerance::LeftOutSpace { spaced.as_slice() } else { lines };
            let wanted = old_lines(lines);
            // The next hunk may show once more what stands below this one's change.
            let below = lines.iter().rev().take_while(|line| !is_change(line)).count();
            let changed_until = |end: usize| end - below;
            // From here on only blanks, signs and accents may differ.
            if tolerance == Tolerance::TrailingBlanks && !is_possible(file, &wanted) {
                break;
            }
            let mut places = places(file, &wanted, start, tolerance);
            if places.is_empty() && scope.is_none() && from > 0 {
                places = self::places(file, &wanted, 0, tolerance);
            }
            if hunk.at_end {
                places.retain(|place| place + wanted.len() == file.lines.len());
            }
            // Several places below a heading: the one in the block it opens, if that settles it.
            if let (Some((_, heading)), [_, _, ..]) = (scope, places.as_slice()) {
                let end = block_end(file, heading);
                places = settled(places, |place| place + wanted.len() <= end);
            }
            // In a file that has changed since, other lines bear these numbers.
            if let (Some(numbers), [_, _, ..], false) = (&hunk.numbers, places.as_slice(), exactly) {
                places = numbers.settle(file, lines, places);
            }
            if let (Some((_, heading)), [place]) = (scope, places.as_slice())
                && is_below_another(file, heading, *place)
            {
                return Err(elsewhere(file, hunk, "the hunk", (heading, *place)));
            }
            match places.as_slice() {
                [] => {}
                [place] if tolerance == Tolerance::LeftOutSpace => {
                    let meant = with_additions_in_place(file, lines, *place);
                    let next = meant.and_then(|lines| splice(file, &lines, *place, tolerance));
                    return next.map(changed_until).ok_or_else(|| unclear_depth(hunk));
                }
                [place] if tolerance == Tolerance::Exact => {
                    let meant = with_additions_below_edge(file, lines);
                    if let Some(next) = splice(file, &meant, *place, tolerance) {
                        return Ok(changed_until(next));
                    }
                }
                [place] => match splice(file, lines, *place, tolerance) {
                    Some(next) => return Ok(changed_until(next)),
                    None => continue,
                },
                several => return Err(ambiguous(hunk, several)),
            }
        }
    }
    Err(no_match(file, hunk))
}

/// Whether the lines could be found by looking past something. Most refusals cost no more than this.
fn is_possible(file: &Lines, wanted: &[&str]) -> bool {
    could_fit(&file.lines.join("\n"), &wanted.join("\n"))
}

fn no_match(file: &Lines, hunk: &Hunk) -> String {
    let wanted = old_lines(without_outer_blanks(&hunk.lines)).join("\n");
    let reason = format!("the hunk at line {} of the patch does not match the file", hunk.patch_line);
    match nearest(&file.lines.join("\n"), &wanted).first() {
        Some(candidate) => format!(
            "{reason}; the nearest place is line {} ('-' is what the patch says, '+' what the file has):\n{}",
            candidate.line, candidate.diff
        ),
        None => reason,
    }
}

pub(super) fn old_lines(lines: &[Line]) -> Vec<&str> {
    lines.iter().filter(|line| !matches!(line, Line::Add(_))).map(Line::text).collect()
}

fn without_outer_blanks(lines: &[Line]) -> &[Line] {
    let first = lines.iter().position(|line| *line != Line::Blank).unwrap_or(0);
    let last = lines.iter().rposition(|line| *line != Line::Blank).map_or(0, |last| last + 1);
    lines.get(first..last).unwrap_or(lines)
}

/// The lines as they are meant if the patch shows context as the file has it, with no space in front.
fn with_left_out_space(lines: &[Line]) -> Vec<Line> {
    let spaced = lines.iter().map(|line| match line {
        Line::Context(text) => Line::Context(format!(" {text}")),
        other => other.clone(),
    });
    spaced.collect()
}

fn places(file: &Lines, wanted: &[&str], from: usize, tolerance: Tolerance) -> Vec<usize> {
    if matches!(tolerance, Tolerance::Signs | Tolerance::SignsAndIndentation) {
        let lines = file.lines.iter().map(String::as_str);
        let mut places = places_seen_as(lines, wanted, tolerance == Tolerance::SignsAndIndentation);
        places.retain(|place| *place >= from);
        return places;
    }
    let last = file.lines.len().saturating_sub(wanted.len());
    // In a text that spans lines blanks are data.
    let spanned = match tolerance {
        Tolerance::BlanksBetweenWords => lines_spanned(&file.text()),
        _ => Vec::new(),
    };
    let is_same = |at: usize, line: &str, wanted: &str| {
        line == wanted || (spanned.get(at) != Some(&true) && same(line, wanted, tolerance))
    };
    (from..=last)
        .filter(|start| {
            let run = file.lines.get(*start..start + wanted.len());
            run.is_some_and(|run| {
                run.iter().zip(wanted).zip(*start..).all(|((line, wanted), at)| is_same(at, line, wanted))
            })
        })
        .collect()
}

fn same(line: &str, wanted: &str, tolerance: Tolerance) -> bool {
    match tolerance {
        Tolerance::Exact | Tolerance::LeftOutSpace | Tolerance::Signs | Tolerance::SignsAndIndentation => {
            line == wanted
        }
        Tolerance::TrailingBlanks => bare(line) == bare(wanted),
        Tolerance::Indentation => split(bare(line)).1 == split(bare(wanted)).1,
        Tolerance::BlanksBetweenWords => is_same_but_for_blanks(line, wanted),
        Tolerance::Composition => is_composed_alike(line, wanted),
        Tolerance::Punctuation => is_plainly_same(bare(line), bare(wanted)),
    }
}

fn unclear_depth(hunk: &Hunk) -> String {
    format!(
        "the hunk at line {} of the patch does not tell how deep its added lines stand: the lines around them fit only \
         without the space in front; begin each of those with a space, and write every line as deep as it is",
        hunk.patch_line
    )
}

pub(super) fn ambiguous(hunk: &Hunk, places: &[usize]) -> String {
    let shown: Vec<String> = places.iter().take(10).map(|place| (place + 1).to_string()).collect();
    format!(
        "the hunk at line {} of the patch fits several places (lines {}); add context or an '@@ heading @@'",
        hunk.patch_line,
        shown.join(", ")
    )
}
