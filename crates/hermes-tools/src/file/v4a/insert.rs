//! Hunks that only add lines: nothing of them is in the file, so the place is told by what stands around them.

use super::block::end_below;
use super::hunk::Lines;
use super::parse::{Hunk, Line};
use super::splice::{ending_above, put};

/// Puts the lines below the heading that `scope` names, else at the end of the file or where the numbers say.
pub(super) fn insert(
    file: &mut Lines,
    hunk: &Hunk,
    scope: Option<(usize, usize)>,
    exactly: bool,
) -> Result<usize, String> {
    let added: Vec<String> = hunk
        .lines
        .iter()
        .filter_map(|line| match line {
            Line::Add(text) => Some(text.clone()),
            _ => None,
        })
        .collect();
    let is_meant = |at: &usize| !exactly && (!hunk.at_end || *at == file.lines.len());
    let at = match (scope, &hunk.numbers) {
        (Some((_, heading)), _) if hunk.at_end => end_below(file, heading, &added).ok_or_else(|| {
            format!(
                "the hunk at line {} of the patch adds lines below '{}' and at the end of the file, which are two places",
                hunk.patch_line,
                file.lines.get(heading).map_or("", |line| line.trim())
            )
        })?,
        (Some((start, _)), _) => start,
        (None, None) => file.lines.len(),
        (None, Some(numbers)) => numbers.end(file, &hunk.lines).filter(is_meant).ok_or_else(|| {
            format!(
                "the hunk at line {} of the patch only adds lines, and line numbers do not tell where; show a line \
                 beside them",
                hunk.patch_line
            )
        })?,
    };
    let count = added.len();
    let ending = ending_above(file, at);
    put(file, at..at, added.into_iter().map(|line| (line, ending)).collect());
    Ok(at + count)
}
