//! Whole lines that are the same but for trailing blanks and the depth of the block.

use std::cell::LazyCell;
use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::indent::{Mapping, split};
use super::literals::ends_spanned;
use super::places::with_overlapping;
use super::steps::Levels;

/// A run of file lines that `old` means, and what `new` becomes there.
pub(super) struct Block {
    pub(super) range: Range<usize>,
    pub(super) new: String,
}

/// All runs of whole lines that equal `old` but for trailing blanks (`reindent` false), or but for those
/// and the indentation as a whole (`reindent` true). Runs may overlap.
pub(super) fn find_all(text: &str, old: &str, new: &str, reindent: bool) -> Vec<Block> {
    // With a newline at the end of `old` alone the line's end goes too.
    let with_end = old.ends_with('\n') && !new.ends_with('\n');
    let (old, new) = without_final_newline(old, new);
    let wanted: Vec<&str> = old.split('\n').collect();
    let lines = lines_with_places(text);
    if wanted.iter().all(|line| line.trim().is_empty()) {
        return Vec::new();
    }
    let levels = Levels::of(text);
    let ends = LazyCell::new(|| ends_spanned(text));
    let next = |from: usize| {
        let runs = lines.get(from..)?.windows(wanted.len()).zip(from..);
        let block = |run| block(run, &wanted, (old, new), reindent.then_some(&levels));
        let (mut block, run, first) =
            runs.into_iter().find_map(|(run, first)| Some((block(run)?, run, first)))?;
        let is_data = |at: usize| ends.get(first + at) == Some(&true);
        if run.iter().zip(&wanted).any(|((_, line), wanted)| blanks_behind(line) != blanks_behind(wanted)) {
            block.new = with_own_blanks(run, &wanted, &block.new, is_data);
        }
        Some((first..first + wanted.len(), block))
    };
    let mut found = with_overlapping(next, |line| line + 1);
    if with_end {
        // The file's last line may have none.
        for block in &mut found {
            block.range.end += usize::from(block.range.end < text.len());
        }
    }
    found
}

/// A newline at the end only says that whole lines are meant; the file's last line may lack it.
pub(super) fn without_final_newline<'a>(old: &'a str, new: &'a str) -> (&'a str, &'a str) {
    match old.strip_suffix('\n') {
        Some(old) if !old.is_empty() => (old, new.strip_suffix('\n').unwrap_or(new)),
        _ => (old, new),
    }
}

pub(super) fn lines_with_places(text: &str) -> Vec<(usize, &str)> {
    let mut at = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        lines.push((at, line.strip_suffix('\n').unwrap_or(line)));
        at += line.len();
    }
    lines
}

/// The line without the blanks behind it. Behind a backslash one stays: with it that one joins no lines.
pub(crate) fn bare(line: &str) -> &str {
    let bare = line.trim_end_matches([' ', '\t']);
    let joins = bare.ends_with('\\');
    line.get(..bare.len() + usize::from(joins)).unwrap_or(bare)
}

fn blanks_behind(line: &str) -> &str {
    line.get(bare(line).len()..).unwrap_or_default()
}

/// `new` with the blanks that the file has behind the lines it repeats, where those are data.
fn with_own_blanks(
    run: &[(usize, &str)],
    wanted: &[&str],
    new: &str,
    is_data: impl Fn(usize) -> bool,
) -> String {
    let texts = |lines: &[&str]| {
        lines.iter().map(|line| line.trim_matches([' ', '\t']).to_owned()).collect::<Vec<_>>()
    };
    let mut lines: Vec<String> = new.split('\n').map(str::to_owned).collect();
    let news: Vec<&str> = new.split('\n').collect();
    for change in capture_diff_slices(Algorithm::Myers, &texts(wanted), &texts(&news)) {
        let (tag, olds, news) = change.as_tag_tuple();
        if tag != DiffTag::Equal {
            continue;
        }
        for (old, new) in olds.zip(news).filter(|(old, _)| is_data(*old)) {
            if let (Some((_, own)), Some(line)) = (run.get(old), lines.get_mut(new)) {
                line.truncate(bare(line).len());
                line.push_str(blanks_behind(own));
            }
        }
    }
    lines.join("\n")
}

/// The run as the block that is wanted; with the levels of the file it may stand at another depth.
fn block(
    run: &[(usize, &str)],
    wanted: &[&str],
    (old, new): (&str, &str),
    levels: Option<&Levels<'_>>,
) -> Option<Block> {
    let pairs: Vec<(&str, &str)> =
        wanted.iter().zip(run).map(|(wanted, (_, line))| (*wanted, *line)).collect();
    let same = pairs.iter().all(|(wanted, line)| {
        let (wanted, line) = (bare(wanted), bare(line));
        if levels.is_some() { split(wanted).1 == split(line).1 } else { wanted == line }
    });
    if !same {
        return None;
    }
    let new = match levels {
        Some(levels) => Mapping::learn(&pairs, old, new, levels)?.apply(new)?,
        None => new.to_owned(),
    };
    let (start, _) = run.first()?;
    let (last, line) = run.last()?;
    Some(Block { range: *start..last + line.len(), new })
}
