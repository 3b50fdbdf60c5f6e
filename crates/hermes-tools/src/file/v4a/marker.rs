//! What `+` means where context lines are shown without the space in front: it may stand in front of the whole line, or
//! over its first blank, so that columns stay aligned. The second is also how a block looks that is shown one column
//! less deep than it is. The additions then stand one column deeper than they are written.

use std::collections::BTreeSet;

use super::hunk::Lines;
use super::parse::Line;
use crate::file::edit::{Levels, depth_of, is_comment_rest};

/// How well a depth goes with the lines around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    No,
    /// Less deep than all of them, by whole levels.
    Outside,
    Yes,
}

/// The hunk with its additions as deep as they are meant; `None` if that is not certain. `lines` have their spaces, and
/// match the file at `place` letter by letter.
pub(super) fn with_additions_in_place(file: &Lines, lines: &[Line], place: usize) -> Option<Vec<Line>> {
    let old = |line: &&Line| !matches!(line, Line::Add(_));
    let shown = || lines.iter().filter(old).filter(|line| depth_of(line.text()).is_some());
    // A removed line that is indented and fits shows that the sign stands in front of everything.
    let is_proven = shown().any(|line| matches!(line, Line::Remove(text) if text.starts_with([' ', '\t'])));
    if is_proven || !shown().any(|line| matches!(line, Line::Context(_))) {
        return Some(lines.to_vec());
    }
    // A line without indentation has no blank that a sign could stand over, unless all stand one column deeper.
    let least = usize::from(shown().filter_map(|line| depth_of(line.text())).min() != Some(1));
    let Some(written) = least_deep(lines, least) else { return Some(lines.to_vec()) };
    let run = file.lines.get(place..place + lines.iter().filter(old).count())?;
    let text = file.text();
    let around = Around::of(run, &text);
    match (around.fit(written), around.fit(&format!(" {written}"))) {
        (Fit::Outside | Fit::Yes, Fit::No) => Some(lines.to_vec()),
        (Fit::No, Fit::Outside | Fit::Yes) => Some(moved(lines, least)),
        // Amid a block nothing is put outside of it.
        (Fit::Outside, Fit::Yes) if is_amid(lines) => Some(moved(lines, least)),
        _ => None,
    }
}

/// The same where all context stands at the left edge, and so has no blank that its space could be missing from. A sign
/// then stands in front of everything, unless that puts the line at no depth that the file has, and one column further
/// in there is one.
pub(super) fn with_additions_below_edge(file: &Lines, lines: &[Line]) -> Vec<Line> {
    let is_marked = |line: &Line| match line {
        Line::Context(text) => !text.trim().is_empty(),
        Line::Remove(text) => text.starts_with([' ', '\t']),
        Line::Bare(text) => text.starts_with('\t'),
        Line::Blank | Line::Add(_) => false,
    };
    let is_bare = |line: &Line| matches!(line, Line::Bare(_));
    let written = least_deep(lines, 1).filter(|text| !is_star(text)).and_then(depth_of);
    let Some(depth) = written.filter(|_| lines.iter().any(is_bare) && !lines.iter().any(is_marked)) else {
        return lines.to_vec();
    };
    let text = file.text();
    let levels = Levels::of(&text);
    let is_below = |line: &str| open_bracket(line) == Some(depth) || item_text(line) == Some(depth);
    let is_known = || text.lines().any(|line| depth_of(line) == Some(depth) && !is_star(line));
    let is_level = |depth: usize| levels.step().is_some_and(|step| depth.is_multiple_of(step));
    let stays = is_level(depth) || !is_level(depth + 1) || lines.iter().any(|line| is_below(line.text()));
    if stays || is_known() { lines.to_vec() } else { moved(lines, 1) }
}

/// The additions that stand at least so deep.
fn is_moved(line: &Line, least: usize) -> bool {
    matches!(line, Line::Add(text) if depth_of(text).is_some_and(|depth| depth >= least))
}

/// The least deep of them. What is deeper than that one is so in either case.
fn least_deep(lines: &[Line], least: usize) -> Option<&str> {
    let moving = lines.iter().filter(|line| is_moved(line, least)).map(Line::text);
    moving.min_by_key(|text| depth_of(text))
}

/// All of them one column further in.
fn moved(lines: &[Line], least: usize) -> Vec<Line> {
    let line = |line: &Line| match line {
        Line::Add(text) if is_moved(line, least) => Line::Add(format!(" {text}")),
        other => other.clone(),
    };
    lines.iter().map(line).collect()
}

/// The matched lines and the file they stand in.
struct Around<'a> {
    depths: BTreeSet<usize>,
    /// Where the first thing in an open bracket stands, and what is aligned with it.
    aligned: BTreeSet<usize>,
    /// Where the stars of block comments stand: one column further in than what they belong to.
    stars: BTreeSet<usize>,
    levels: Levels<'a>,
}

impl<'a> Around<'a> {
    fn of(run: &[String], file: &'a str) -> Self {
        let (mut depths, mut stars) = (BTreeSet::new(), BTreeSet::new());
        for line in run {
            let Some(depth) = depth_of(line) else { continue };
            let is_star = is_star(line);
            // At an even column it is rather an item of a list.
            depths.insert(depth - usize::from(is_star && !depth.is_multiple_of(2)));
            if is_star || line.trim_start().starts_with("/*") {
                stars.insert(depth + usize::from(!is_star));
            }
        }
        let aligned = run.iter().filter_map(|line| open_bracket(line)).collect();
        Around { depths, aligned, stars, levels: Levels::of(file) }
    }

    fn fit(&self, line: &str) -> Fit {
        let depth = depth_of(line).unwrap_or_default();
        if is_star(line) && !self.stars.is_empty() {
            return if self.stars.contains(&depth) { Fit::Yes } else { Fit::No };
        }
        let is_level = |known: &usize| self.levels.are_apart(*known, depth);
        if self.aligned.contains(&depth) || self.depths.range(..=depth).any(is_level) {
            Fit::Yes
        } else if self.depths.first().is_some_and(|least| depth < *least && is_level(least)) {
            Fit::Outside
        } else {
            Fit::No
        }
    }
}

fn is_star(line: &str) -> bool {
    is_comment_rest(line.trim_start_matches([' ', '\t']))
}

/// The column behind the last bracket that a line leaves open, if something follows it.
fn open_bracket(line: &str) -> Option<usize> {
    let mut open: Vec<usize> = Vec::new();
    for (column, letter) in line.trim_end().chars().enumerate() {
        match letter {
            '(' | '[' | '{' => open.push(column + 1),
            ')' | ']' | '}' => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop().filter(|column| *column < line.trim_end().chars().count())
}

/// The column in which the text of a list item begins.
fn item_text(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ' ');
    let rest = rest.strip_prefix(['.', ')', '-', '*', '+'])?.strip_prefix(' ')?;
    Some(line.len() - rest.len())
}

/// Whether every addition stands between two lines of one depth.
fn is_amid(lines: &[Line]) -> bool {
    let is_added = |line: &Line| matches!(line, Line::Add(_));
    let parts: Vec<&[Line]> = lines.chunk_by(|one, next| is_added(one) == is_added(next)).collect();
    let depth = |part: Option<&&[Line]>, from_end: bool| {
        let mut depths = part?.iter().filter_map(|line| depth_of(line.text()));
        if from_end { depths.next_back() } else { depths.next() }
    };
    let is_amid = |at: usize| {
        let above = at.checked_sub(1).and_then(|above| depth(parts.get(above), true));
        above.is_some() && above == depth(parts.get(at + 1), false)
    };
    parts.iter().enumerate().filter(|(_, part)| part.first().is_some_and(is_added)).all(|(at, _)| is_amid(at))
}
