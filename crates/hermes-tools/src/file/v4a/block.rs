//! Blocks by their indentation: what stands below a heading.

use super::hunk::Lines;

/// Whether a place lies in a block, but not in the one that the heading opens. What follows a block at its own depth
/// is still said to stand below it.
pub(super) fn is_below_another(file: &Lines, heading: usize, place: usize) -> bool {
    let depth_from = |from: usize| {
        let mut lines = file.lines.iter().skip(from);
        lines.find(|line| !line.trim().is_empty()).map_or(0, |line| depth(line))
    };
    let own = file.lines.get(heading).map_or(0, |line| depth(line));
    let opener = opener(file, heading);
    let opens = has_bracket(file, opener) || depth_from(opener + 1) > own;
    opens && place >= block_end(file, heading) && depth_from(place) > own
}

fn depth(line: &str) -> usize {
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

/// The line that opens the block of a heading: a brace that stands on a line of its own, or else the heading.
fn opener(file: &Lines, heading: usize) -> usize {
    let own = file.lines.get(heading).map_or(0, |line| depth(line));
    let brace = not_deeper(file, heading).next().filter(|(_, line)| line.trim() == "{" && depth(line) == own);
    brace.map_or(heading, |(at, _)| at)
}

/// Where the block ends that a line opens: at the next line that is not deeper, after what closes it. Labels and
/// directives stand at the very edge; where a bracket opens the block, they end nothing.
pub(super) fn block_end(file: &Lines, heading: usize) -> usize {
    let opener = opener(file, heading);
    let closes = |(_, line): &(usize, &String)| line.trim_start().starts_with(['}', ')', ']']);
    let closing = if has_bracket(file, opener) { not_deeper(file, opener).find(closes) } else { None };
    match closing.or_else(|| not_deeper(file, opener).next()) {
        Some(end) if closes(&end) => end.0 + 1,
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
    (is_last || !first.is_some_and(is_deeper)).then_some(file.lines.len())
}
