//! Blocks by their indentation: what stands below a heading.

use super::hunk::Lines;
use super::sections::{is_in_next, section_end};

/// Whether a place lies in a block, but not in the one that the heading opens. What follows a block at its own depth
/// is still said to stand below it, unless it is itself in one of which nothing is deeper.
pub(super) fn is_below_another(file: &Lines, heading: usize, place: usize) -> bool {
    if let Some(end) = section_end(file, heading)
        && is_in_next(file, heading, end, place)
    {
        return true;
    }
    let depth_from = |from: usize| {
        let mut lines = file.lines.iter().skip(from);
        lines.find(|line| !line.trim().is_empty()).map_or(0, |line| depth(line))
    };
    let own = file.lines.get(heading).map_or(0, |line| depth(line));
    let opener = opener(file, heading);
    let opens = has_bracket(file, opener) || depth_from(opener + 1) > own;
    let end = block_end(file, heading);
    let is_in_next = || has_bracket(file, opener) && is_between_brackets(file, end, place);
    opens && place >= end && (depth_from(place) > own || is_in_next())
}

/// Whether a bracket that is opened from a line on is not closed above a place.
fn is_between_brackets(file: &Lines, from: usize, place: usize) -> bool {
    let mut at = from;
    while at < place {
        let closing = if has_bracket(file, at) { closing(file, at) } else { None };
        match closing {
            Some((end, _)) if end > place => return true,
            // What closes one may open another.
            Some((end, _)) => at = end,
            None => at += 1,
        }
    }
    false
}

pub(super) fn depth(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

fn has_bracket(file: &Lines, line: usize) -> bool {
    file.lines.get(line).is_some_and(|line| line.trim_end().ends_with(['{', '(', '[']))
}

/// The lines below one that are not deeper.
fn not_deeper(file: &Lines, line: usize) -> impl Iterator<Item = (usize, &String)> {
    let own = file.lines.get(line).map_or(0, |line| depth(line));
    let below = file.lines.iter().enumerate().skip(line + 1);
    below.filter(move |(_, line)| !line.trim().is_empty() && depth(line) <= own)
}

/// The line that opens the block of a heading: the end of what it takes, if that stands on lines of its own, or a brace
/// on the next one, or else the heading.
fn opener(file: &Lines, heading: usize) -> usize {
    let text = |at: usize| file.lines.get(at).map_or("", |line| line.trim());
    let brace = |at: usize| {
        let below = not_deeper(file, at).find(|(_, line)| line.trim() != "where");
        below
            .filter(|(below, line)| line.trim() == "{" && is_as_deep(file, at, *below))
            .map(|(below, _)| below)
    };
    let takes = text(heading).ends_with('(').then(|| not_deeper(file, heading).next()).flatten();
    match takes.filter(|(at, line)| line.trim().starts_with(')') && is_as_deep(file, heading, *at)) {
        Some((at, line)) if line.trim().ends_with(['{', ':']) => at,
        Some((at, _)) => brace(at).unwrap_or(heading),
        None => brace(heading).unwrap_or(heading),
    }
}

fn is_as_deep(file: &Lines, one: usize, other: usize) -> bool {
    let depth = |at: usize| file.lines.get(at).map(|line| depth(line));
    depth(one) == depth(other)
}

fn closes(line: &str) -> bool {
    line.trim_start().starts_with(['}', ')', ']'])
}

/// The line that closes the bracket at the end of another. What is inside of it may stand as far out as it does itself,
/// and open brackets of its own, as in a namespace.
fn closing(file: &Lines, opener: usize) -> Option<(usize, &String)> {
    let mut open = 0_usize;
    let closing = not_deeper(file, opener).find(|(at, line)| {
        if closes(line) {
            if open == 0 || !is_as_deep(file, opener, *at) {
                return true;
            }
            open -= 1;
        }
        open += usize::from(has_bracket(file, *at));
        false
    });
    // Who counts otherwise, as where one of two headings is left out, takes the first for it.
    closing.or_else(|| not_deeper(file, opener).find(|(_, line)| closes(line)))
}

/// Where the block ends that a line opens: at the next line that is not deeper, after what closes it. Labels and
/// directives stand at the very edge; where a bracket opens the block, they end nothing.
pub(super) fn block_end(file: &Lines, heading: usize) -> usize {
    if let Some(end) = section_end(file, heading) {
        return end;
    }
    let opener = opener(file, heading);
    let closing = if has_bracket(file, opener) { closing(file, opener) } else { None };
    match closing.or_else(|| not_deeper(file, opener).next()) {
        Some((at, line)) if closes(line) => at + 1,
        Some((at, _)) => at,
        None => file.lines.len(),
    }
}

/// The end of the file, if lines that are added there stand below the heading: it opens the last block, or they are no
/// part of one.
pub(super) fn end_below(file: &Lines, heading: usize, added: &[String]) -> Option<usize> {
    let mut rest = file.lines.iter().skip(block_end(file, heading));
    let is_deeper = |line: &String| file.lines.get(heading).is_some_and(|opened| depth(line) > depth(opened));
    let is_last = rest.all(|line| line.trim().is_empty());
    let first = added.iter().find(|line| !line.trim().is_empty());
    let is_outside = section_end(file, heading).is_none() && !first.is_some_and(is_deeper);
    (is_last || is_outside).then_some(file.lines.len())
}
