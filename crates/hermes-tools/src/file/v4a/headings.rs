//! The headings of a hunk (`@@ class A`): lines that stand above the place, each below the one before.

use super::block::{block_end, is_below_another};
use super::hunk::{Lines, ambiguous, old_lines};
use super::parse::Hunk;
use crate::file::edit::{Candidate, nearest};

/// The lines below the hunk's headings: where they begin, and the heading's own line.
pub(super) fn scope(file: &Lines, hunk: &Hunk, from: usize) -> Result<Option<(usize, usize)>, String> {
    let mut below: Option<(usize, usize)> = None;
    for heading in &hunk.scope {
        let start = below.map_or(0, |(start, _)| start);
        let is = |line: &String| line.trim() == heading.trim();
        let holds = |line: &String| line.contains(heading.trim());
        let find = |test: &dyn Fn(&String) -> bool| -> Vec<usize> {
            file.lines
                .iter()
                .enumerate()
                .skip(start)
                .filter(|(_, line)| test(line))
                .map(|(at, _)| at)
                .collect()
        };
        let mut found = find(&is);
        if found.is_empty() {
            found = find(&holds);
        }
        // Several headings alike: the one in the outer heading's block, or else after the last hunk.
        if let (Some((_, outer)), [_, _, ..]) = (below, found.as_slice()) {
            let end = block_end(file, outer);
            found = settled(found, |at| at < end);
        }
        if from > 0 {
            found = settled(found, |at| at >= from);
        }
        below = match (found.as_slice(), below) {
            ([at], Some((_, outer))) if is_below_another(file, outer, *at) => {
                let what = format!("the heading '{heading}'");
                return Err(elsewhere(file, hunk, &what, (outer, *at)));
            }
            ([at], _) => Some((at + 1, *at)),
            ([], _) => return Err(no_heading(file, hunk, heading)),
            (several, _) => return Err(ambiguous(hunk, several)),
        };
    }
    // A heading may itself be the first line of the hunk.
    Ok(below.map(|(start, at)| {
        if old_lines(&hunk.lines)
            .first()
            .is_some_and(|first| file.lines.get(at).is_some_and(|line| line == first))
        {
            (at, at)
        } else {
            (start, at)
        }
    }))
}

/// The only place that passes, else all of them.
pub(super) fn settled(places: Vec<usize>, passes: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut passing = places.iter().copied().filter(|place| passes(*place));
    match (passing.next(), passing.next()) {
        (Some(only), None) => vec![only],
        _ => places,
    }
}

/// That no line is the heading, and which are most like it.
fn no_heading(file: &Lines, hunk: &Hunk, heading: &str) -> String {
    let shown = |candidate: &Candidate| {
        let line = file.lines.get(candidate.line - 1).map_or("", |line| line.trim());
        format!("line {} '{line}'", candidate.line)
    };
    let near: Vec<String> = nearest(&file.lines.join("\n"), heading).iter().map(shown).collect();
    let near = if near.is_empty() { String::new() } else { format!("; the nearest are {}", near.join(", ")) };
    format!("line {} of the patch: no line of the file is '{heading}'{near}", hunk.patch_line)
}

/// That something stands at a place below the heading, but in a block of its own.
pub(super) fn elsewhere(file: &Lines, hunk: &Hunk, what: &str, (heading, place): (usize, usize)) -> String {
    format!(
        "{what} at line {} of the patch does not match the file below '{}'; it does at line {}, below another heading",
        hunk.patch_line,
        file.lines.get(heading).map_or("", |line| line.trim()),
        place + 1
    )
}
