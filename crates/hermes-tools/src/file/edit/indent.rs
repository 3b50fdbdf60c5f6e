//! Indentation that differs as a whole: `old` was written at another depth or with another unit than the
//! file uses, but every line relates to every other in the same way.

use std::collections::BTreeMap;

/// How the indentation of `old` maps to the file's, learnt from a block that matches otherwise.
pub(crate) struct Mapping {
    known: BTreeMap<usize, String>,
    old_unit: usize,
    file_unit: String,
}

/// Splits a line into indentation and the rest.
pub(super) fn split(line: &str) -> (&str, &str) {
    let end = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.split_at_checked(end).unwrap_or((line, ""))
}

/// Columns of an indentation; a tab counts as one unit wherever it stands.
fn columns(indent: &str, unit: usize) -> usize {
    indent.chars().map(|blank| if blank == '\t' { unit } else { 1 }).sum()
}

impl Mapping {
    /// Learns from lines that correspond. `None` if the indentation says different things: the same
    /// depth here at two depths there, or deeper here and not deeper there.
    pub(crate) fn learn(pairs: &[(&str, &str)], old: &str, new: &str, file: &str) -> Option<Mapping> {
        let old_unit = unit_of([old, new].iter().flat_map(|text| text.lines()));
        let mut known: BTreeMap<usize, String> = BTreeMap::new();
        for (old_line, file_line) in pairs {
            let ((old_indent, rest), (file_indent, _)) = (split(old_line), split(file_line));
            if rest.trim().is_empty() {
                continue;
            }
            let depth = columns(old_indent, old_unit);
            match known.get(&depth) {
                Some(before) if before != file_indent => return None,
                Some(_) => {}
                None => {
                    known.insert(depth, file_indent.to_owned());
                }
            }
        }
        let file_width = unit_of(file.lines());
        let depths: Vec<usize> = known.values().map(|indent| columns(indent, file_width)).collect();
        if depths.windows(2).any(|pair| matches!(pair, [shallow, deep] if shallow >= deep)) {
            return None;
        }
        let tabs = file.lines().filter(|line| line.starts_with('\t')).count();
        let spaces = file.lines().filter(|line| line.starts_with(' ')).count();
        let file_unit = if tabs > spaces { "\t".to_owned() } else { " ".repeat(file_width) };
        Some(Mapping { known, old_unit, file_unit })
    }

    /// `new` as it would stand in the file. `None` if a line's depth does not fall on the units.
    pub(crate) fn apply(&self, new: &str) -> Option<String> {
        let lines: Option<Vec<String>> = new.split('\n').map(|line| self.line(line)).collect();
        Some(lines?.join("\n"))
    }

    fn line(&self, line: &str) -> Option<String> {
        let (indent, rest) = split(line);
        if rest.trim().is_empty() {
            return Some(rest.trim_end_matches([' ', '\t']).to_owned());
        }
        let depth = columns(indent, self.old_unit);
        if let Some(known) = self.known.get(&depth) {
            return Some(format!("{known}{rest}"));
        }
        // The nearest depth that is known, and from there whole levels in the file's own unit.
        let (base, file_indent) =
            self.known.range(..depth).next_back().or_else(|| self.known.range(depth..).next())?;
        let difference = depth.abs_diff(*base);
        if !difference.is_multiple_of(self.old_unit) {
            return None;
        }
        let levels = difference / self.old_unit;
        let indent = if depth > *base {
            format!("{file_indent}{}", self.file_unit.repeat(levels))
        } else {
            let keep = file_indent.len().saturating_sub(levels * self.file_unit.len());
            file_indent.get(..keep).unwrap_or_default().to_owned()
        };
        Some(format!("{indent}{rest}"))
    }
}

/// The smallest step between depths that the lines use; four if they show none.
fn unit_of<'a>(lines: impl Iterator<Item = &'a str>) -> usize {
    let mut depths: Vec<usize> = vec![0];
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let (indent, _) = split(line);
        if indent.contains('\t') {
            return 4;
        }
        depths.push(indent.len());
    }
    depths.sort_unstable();
    depths.dedup();
    let steps = depths.windows(2).map(|pair| match pair {
        [low, high] => high - low,
        _ => 0,
    });
    steps.filter(|step| *step > 0).min().unwrap_or(4)
}
