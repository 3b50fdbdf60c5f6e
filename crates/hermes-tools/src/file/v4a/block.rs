//! Blocks by their indentation: what stands below a heading.

use super::hunk::Lines;

/// Whether a place lies in a block, but not in the one that the heading opens. What follows a block at its own depth
/// is still said to stand below it.
pub(super) fn is_below_another(file: &Lines, heading: usize, place: usize) -> bool {
    let line = |at: usize| file.lines.get(at).map_or("", String::as_str);
    let next = (heading + 1..file.lines.len()).find(|at| !line(*at).trim().is_empty());
    // A brace on its own line opens the block of the line above.
    let opener = next.filter(|at| line(*at).trim() == "{" && depth(line(*at)) == depth(line(heading)));
    let opener = opener.unwrap_or(heading);
    let opens = (opener + 1..file.lines.len())
        .find(|at| !line(*at).trim().is_empty())
        .is_some_and(|at| depth(line(at)) > depth(line(heading)));
    let first = (place..file.lines.len()).find(|at| !line(*at).trim().is_empty());
    opens
        && place >= block_end(file, opener)
        && first.is_some_and(|at| depth(line(at)) > depth(line(heading)))
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Where the block ends that a line opens: at the next line that is not deeper, after what closes it. Labels and
/// directives stand at the very edge; where the line opens a bracket, they end nothing.
pub(super) fn block_end(file: &Lines, heading: usize) -> usize {
    let opened = file.lines.get(heading).map_or(0, |line| depth(line));
    let not_deeper = || {
        let below = file.lines.iter().enumerate().skip(heading + 1);
        below.filter(|(_, line)| !line.trim().is_empty() && depth(line) <= opened)
    };
    let closes = |(_, line): &(usize, &String)| line.trim_start().starts_with(['}', ')', ']']);
    let has_bracket = file.lines.get(heading).is_some_and(|line| line.trim_end().ends_with(['{', '(', '[']));
    let closing = if has_bracket { not_deeper().find(closes) } else { None };
    match closing.or_else(|| not_deeper().next()) {
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
