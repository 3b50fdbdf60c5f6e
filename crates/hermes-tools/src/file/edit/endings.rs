//! Line endings: an edit keeps those the file has, line by line. A line that stays has its own, wherever it comes to
//! stand.

use std::collections::BTreeMap;
use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices};

use super::replace::Edit;
use super::view::View;

/// The text with every CRLF seen as LF. A lone CR is data.
pub(super) fn without_carriage_returns(text: &str) -> View {
    View::new(text, |rest| if rest.starts_with("\r\n") { (2, "\n".into()) } else { (0, "".into()) })
}

/// Whether the lines of a text end in a carriage return alone, as on machines of old.
pub(crate) fn ends_in_returns(text: &str) -> bool {
    text.contains('\r') && !text.contains('\n')
}

/// The content with the edits made, which come in order and do not overlap.
pub(super) fn edited(content: &str, edits: &[Edit]) -> String {
    let (windows, all) = endings(content)
        .fold((0usize, 0usize), |(windows, all), ending| (windows + usize::from(ending == "\r\n"), all + 1));
    let usual = if windows * 2 > all { "\r\n" } else { "\n" };
    let is_half = |at: usize| {
        let halves = content.split_at_checked(at);
        halves.is_some_and(|(before, after)| before.ends_with('\r') && after.starts_with('\n'))
    };
    let cuts = |(range, _): &Edit| is_half(range.start) || is_half(range.end);
    if windows == 0 || windows == all || edits.iter().any(cuts) {
        return alike(content, edits, usual);
    }
    line_by_line(content, edits, usual)
}

/// For a file whose lines all end alike.
fn alike(content: &str, edits: &[Edit], usual: &str) -> String {
    let mut changed = String::with_capacity(content.len());
    let mut from = 0;
    for (range, new) in edits {
        changed.push_str(content.get(from..range.start).unwrap_or_default());
        changed.push_str(&plain(new).replace('\n', usual));
        from = range.end;
    }
    changed.push_str(content.get(from..).unwrap_or_default());
    changed
}

fn line_by_line(content: &str, edits: &[Edit], usual: &'static str) -> String {
    let mut changed = String::with_capacity(content.len());
    let mut from = 0;
    let mut rest = edits;
    while let Some((first, _)) = rest.first() {
        let start = line_start(content, first.start);
        // Edits of one line belong together.
        let mut end = start;
        let mut count = 0;
        for (range, new) in rest {
            if count > 0 && range.start >= end {
                break;
            }
            if range.end >= end {
                end = lines_end(content, range, new);
            }
            count += 1;
        }
        let (group, others) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        let before = content.get(..start).unwrap_or_default();
        changed.push_str(before.get(from..).unwrap_or_default());
        let above = endings(before).next_back().unwrap_or(usual);
        push_edited(&mut changed, content, start..end, group, above);
        from = end;
        rest = others;
    }
    changed.push_str(content.get(from..).unwrap_or_default());
    changed
}

/// Adds some lines of the content with the edits in them made.
fn push_edited(
    changed: &mut String,
    content: &str,
    lines: Range<usize>,
    edits: &[Edit],
    above: &'static str,
) {
    let mut text = String::new();
    // Endings that no edit touches.
    let mut left: Vec<Option<&'static str>> = Vec::new();
    let mut at = lines.start;
    for (range, new) in edits {
        let (between, new) = (content.get(at..range.start).unwrap_or_default(), plain(new));
        left.extend(endings(between).map(Some));
        left.extend(new.matches('\n').map(|_| None));
        text.push_str(&plain(between));
        text.push_str(&new);
        at = range.end;
    }
    let below = content.get(at..lines.end).unwrap_or_default();
    left.extend(endings(below).map(Some));
    text.push_str(&plain(below));
    let replaced = content.get(lines).unwrap_or_default();
    let old: Vec<(&str, &'static str)> = replaced.split_inclusive('\n').map(with_ending).collect();
    let new: Vec<&str> = text.split_inclusive('\n').map(|line| with_ending(line).0).collect();
    let found = own_endings(&old, &new, &left, above);
    for (index, (line, ending)) in new.into_iter().zip(found).enumerate() {
        changed.push_str(line);
        changed.push_str(if index < left.len() { ending } else { "" });
    }
}

/// The endings of the lines that take the place of others. What stays or only moves keeps its own; of the others some may
/// have one that is `left`, what stands for another line has that one's, and what is added has the ending of the line
/// above it.
pub(crate) fn own_endings(
    old: &[(&str, &'static str)],
    new: &[&str],
    left: &[Option<&'static str>],
    above: &'static str,
) -> Vec<&'static str> {
    // A line that loses the blanks behind it stays the same line.
    let bare = |line: &'_ str| line.trim_end_matches([' ', '\t']).len();
    let old: Vec<(&str, &'static str)> =
        old.iter().map(|(line, ending)| (line.get(..bare(line)).unwrap_or(line), *ending)).collect();
    let new: Vec<&str> = new.iter().map(|line| line.get(..bare(line)).unwrap_or(line)).collect();
    let lines: Vec<&str> = old.iter().map(|(line, _)| *line).collect();
    let changes = capture_diff_slices(Algorithm::Myers, &lines, &new);
    let is_gone = |change: &&DiffOp| matches!(change.tag(), DiffTag::Delete | DiffTag::Replace);
    let gone = changes.iter().filter(is_gone).filter_map(|change| old.get(change.old_range())).flatten();
    let gone: BTreeMap<&str, &'static str> = gone.copied().collect();
    let mut found: Vec<&'static str> = Vec::with_capacity(new.len());
    for change in changes {
        let (tag, old_part, new_part) = change.as_tag_tuple();
        for (at, index) in new_part.enumerate() {
            let stands_for = match tag {
                DiffTag::Equal | DiffTag::Replace => old.get((old_part.start + at).min(old_part.end - 1)),
                DiffTag::Insert | DiffTag::Delete => None,
            };
            let own = stands_for.map(|(_, ending)| *ending);
            let moved = || new.get(index).and_then(|line| gone.get(line)).copied();
            let own = match tag {
                DiffTag::Equal => own,
                _ => moved().or(left.get(index).copied().flatten()).or(own),
            };
            // The file's last line may have none.
            let own = own.filter(|ending| !ending.is_empty());
            found.push(own.or(found.last().copied()).unwrap_or(above));
        }
    }
    found
}

/// A line and how it ends.
pub(crate) fn with_ending(line: &str) -> (&str, &'static str) {
    match (line.strip_suffix("\r\n"), line.strip_suffix('\n')) {
        (Some(bare), _) => (bare, "\r\n"),
        (None, Some(bare)) => (bare, "\n"),
        (None, None) => (line, ""),
    }
}

fn plain(text: &str) -> String {
    text.replace("\r\n", "\n")
}

fn line_start(content: &str, at: usize) -> usize {
    content.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

/// Where the lines end that an edit is about.
fn lines_end(content: &str, range: &Range<usize>, new: &str) -> usize {
    let is_whole = new.ends_with('\n') || (new.is_empty() && line_start(content, range.start) == range.start);
    if is_whole && line_start(content, range.end) == range.end && !range.is_empty() {
        return range.end;
    }
    let rest = content.get(range.end..).unwrap_or_default();
    rest.find('\n').map_or(content.len(), |end| range.end + end + 1)
}

fn endings(text: &str) -> impl DoubleEndedIterator<Item = &'static str> {
    text.match_indices('\n').map(|(at, _)| {
        let after_return = text.get(..at).is_some_and(|before| before.ends_with('\r'));
        if after_return { "\r\n" } else { "\n" }
    })
}
