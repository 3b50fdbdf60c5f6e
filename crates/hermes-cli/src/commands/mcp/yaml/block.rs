//! Mappings with a line for each key.

use super::key::{after, is_over};

/// How far a line is indented.
pub(super) fn depth(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// How deep the entries below a line are; none if there are no entries.
pub(super) fn depth_below(lines: &[String], head: usize, of_head: usize) -> Option<usize> {
    let below = lines.iter().skip(head + 1).find(|line| !is_over(line))?;
    Some(depth(below)).filter(|depth| *depth > of_head)
}

/// Takes the entry of this name out. False if there is none that can be told apart.
pub(super) fn cut(lines: &mut Vec<String>, head: usize, of_entries: usize, name: &str) -> bool {
    let is_inside = |line: &&String| is_over(line) || depth(line) >= of_entries;
    let is_entry = |line: &str| depth(line) == of_entries && after(line.trim_start(), name).is_some();
    let inside = lines.iter().skip(head + 1).take_while(is_inside);
    let Some(start) = inside.into_iter().position(|line| is_entry(line)).map(|at| head + 1 + at) else {
        return false;
    };
    // Comments and blank lines at the end belong to what follows.
    let belongs = |line: &str| depth(line) > of_entries || line.trim_start().starts_with(['}', ']']);
    let mut length = 0;
    for (at, line) in lines.iter().skip(start + 1).enumerate() {
        if belongs(line) && !line.trim().is_empty() {
            length = at + 1;
        } else if !is_over(line) {
            break;
        }
    }
    lines.drain(start..=start + length);
    true
}
