//! Indentation that differs as a whole: `old` was written at another depth or with another unit than the
//! file uses, but every line relates to every other in the same way.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::steps::{Levels, TAB, USUAL, columns, depths, is_comment_rest, step};

/// Depths of the caller's and what they are in the file.
type Known = BTreeMap<usize, String>;

/// How the indentation of `old` maps to the file's, learnt from a block that matches otherwise.
pub(crate) struct Mapping {
    known: Known,
    /// Lines that hold nothing but blanks of other kinds, as the caller and as the file writes them.
    unseen: BTreeMap<String, String>,
    /// The depths that the caller uses.
    used: BTreeSet<usize>,
    /// One level as the caller writes it, in columns.
    old_step: Option<usize>,
    /// One level as the file has it.
    file_unit: String,
    /// Neither side has tabs, so that columns can be compared.
    is_spaces: bool,
    /// Neither side has spaces, so that tabs can be counted.
    is_tabs: bool,
}

/// Splits a line into indentation and the rest.
pub(crate) fn split(line: &str) -> (&str, &str) {
    let end = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.split_at_checked(end).unwrap_or((line, ""))
}

impl Mapping {
    /// Learns from lines that correspond. `None` if the indentation says different things: the same
    /// depth here at two depths there, or deeper here and not deeper there.
    pub(crate) fn learn(pairs: &[(&str, &str)], old: &str, new: &str, file: &Levels<'_>) -> Option<Mapping> {
        let (mut known, mut unseen) = (Known::new(), BTreeMap::new());
        for (old_line, file_line) in pairs {
            let ((old_indent, rest), (file_indent, _)) = (split(old_line), split(file_line));
            if rest.trim().is_empty() {
                if !rest.is_empty() {
                    unseen.insert((*old_line).to_owned(), (*file_line).to_owned());
                }
                continue;
            }
            let depth = columns(old_indent);
            match known.get(&depth) {
                Some(before) if before != file_indent => return None,
                Some(_) => {}
                None => {
                    known.insert(depth, file_indent.to_owned());
                }
            }
        }
        if !is_rising(known.values().map(|indent| columns(indent))) {
            return None;
        }
        let written: Vec<usize> = depths(old.lines()).chain(depths(new.lines())).collect();
        let (used, old_step) = (written.iter().copied().collect(), step(&written));
        let has_tabs = [old, new].iter().any(|text| is_tabbed(text.lines()));
        let own_unit = if has_tabs { "\t".to_owned() } else { " ".repeat(old_step.unwrap_or(4)) };
        let file_unit = seen_unit(&known).or_else(|| unit_of(file, &known)).unwrap_or(own_unit);
        let is_spaces = !has_tabs && !known.values().chain([&file_unit]).any(|indent| indent.contains('\t'));
        let is_tab = |indent: &str| indent.bytes().all(|blank| blank == b'\t');
        let mut indents = old.lines().chain(new.lines()).map(|line| split(line).0);
        let is_tabs = has_tabs && indents.all(is_tab) && known.values().all(|indent| is_tab(indent));
        Some(Mapping { known, unseen, used, old_step, file_unit, is_spaces, is_tabs })
    }

    /// `new` as it would stand in the file. `None` if it is not certain how deep a line would be.
    pub(crate) fn apply(&self, new: &str) -> Option<String> {
        let mut mapped = self.known.clone();
        for line in new.split('\n').filter(|line| !line.trim().is_empty()) {
            let (indent, rest) = split(line);
            let depth = columns(indent);
            if let Entry::Vacant(unknown) = mapped.entry(depth) {
                unknown.insert(self.indent(depth, is_comment_rest(rest))?);
            }
        }
        // What was deeper than something else must still be.
        if !is_rising(mapped.values().map(|indent| columns(indent))) {
            return None;
        }
        let line = |line: &str| {
            let (indent, rest) = split(line);
            match mapped.get(&columns(indent)) {
                _ if rest.is_empty() => String::new(),
                // A form feed or a no-break space is text, but has no depth: it stays as the file has it or as written.
                _ if rest.trim().is_empty() => self.unseen.get(line).map_or(line, String::as_str).to_owned(),
                indent => format!("{}{rest}", indent.map_or("", String::as_str)),
            }
        };
        Some(new.split('\n').map(line).collect::<Vec<String>>().join("\n"))
    }

    /// The indentation for a depth that the block does not show.
    fn indent(&self, depth: usize, is_comment: bool) -> Option<String> {
        let (base, own) =
            self.known.range(..depth).next_back().or_else(|| self.known.range(depth..).next())?;
        if self.is_tabs && self.is_shift(TAB) {
            return (own.len() + depth / TAB).checked_sub(base / TAB).map(|tabs| "\t".repeat(tabs));
        }
        let by_levels = self.by_levels(depth, *base, own);
        if !self.is_spaces {
            return by_levels;
        }
        let shifted = (own.len() + depth).checked_sub(*base).map(|width| " ".repeat(width));
        // One column is no level. Beside lines that stand elsewhere than in the file it may as well be a slip.
        let is_odd = depth.abs_diff(*base) == 1 && *base > 0 && !is_comment;
        let is_level = own.len().is_multiple_of(self.file_unit.len().max(1));
        match (self.known.len(), by_levels, shifted) {
            (_, Some(by_levels), Some(shifted)) if by_levels == shifted => Some(shifted),
            // The whole block is shifted, and all that belongs to it with it.
            (2.., _, shifted) if self.is_shift(1) => shifted.filter(|_| depth > *base),
            // Another step than the file's, as the block shows, or as the caller keeps to it.
            (2.., Some(by_levels), _) => Some(by_levels),
            (_, Some(by_levels), _) if is_level && self.is_stepwise(depth, *base) => Some(by_levels),
            (_, Some(_), _) => None,
            (_, None, shifted) => shifted.filter(|_| !is_odd && depth > *base),
        }
    }

    /// Whole levels away from a depth that is known, in the file's own unit.
    fn by_levels(&self, depth: usize, base: usize, own: &str) -> Option<String> {
        let difference = depth.abs_diff(base);
        let step = self.seen_step().or(self.old_step.filter(|step| USUAL.contains(step)))?;
        if !difference.is_multiple_of(step) {
            // The block steps over levels that it shows the measure of.
            let width = self.file_unit.len() * difference;
            let is_level = self.is_spaces && depth > base && USUAL.contains(&difference);
            let fits = is_level && self.seen_step().is_some() && width.is_multiple_of(step);
            return fits.then(|| format!("{own}{}", " ".repeat(width / step)));
        }
        let levels = difference / step;
        if depth > base {
            return Some(format!("{own}{}", self.file_unit.repeat(levels)));
        }
        let keep = own.len().checked_sub(levels * self.file_unit.len())?;
        own.get(..keep).map(str::to_owned)
    }

    /// The step between levels that the block itself shows.
    fn seen_step(&self) -> Option<usize> {
        neighbours(&self.known).map(|((low, _), (high, _))| high - low).min()
    }

    /// Whether every line is as much deeper or less deep than in the file as every other.
    fn is_shift(&self, width: usize) -> bool {
        let mut shifts = self.known.iter().map(|(depth, indent)| indent.len().wrapping_sub(*depth / width));
        let first = shifts.next();
        shifts.all(|shift| Some(shift) == first)
    }

    /// Whether the caller uses every level on the way from one depth to another.
    fn is_stepwise(&self, depth: usize, base: usize) -> bool {
        let (low, high) = (depth.min(base), depth.max(base));
        self.old_step.is_some_and(|step| (low..high).step_by(step).all(|level| self.used.contains(&level)))
    }
}

fn is_rising(mut depths: impl Iterator<Item = usize>) -> bool {
    let Some(mut last) = depths.next() else { return true };
    depths.all(|depth| std::mem::replace(&mut last, depth) < depth)
}

fn is_tabbed<'a>(mut lines: impl Iterator<Item = &'a str>) -> bool {
    lines.any(|line| split(line).0.contains('\t'))
}

/// Depths that follow each other, with what they are in the file.
fn neighbours(known: &Known) -> impl Iterator<Item = ((&usize, &String), (&usize, &String))> {
    known.iter().zip(known.iter().skip(1))
}

/// What one level of the caller's is in the file, as the block itself shows it.
fn seen_unit(known: &Known) -> Option<String> {
    let ((_, low), (_, high)) = neighbours(known).min_by_key(|((low, _), (high, _))| *high - *low)?;
    high.strip_prefix(low.as_str()).map(str::to_owned)
}

/// One level of the file, written as the block is; `None` of a file without levels.
fn unit_of(file: &Levels<'_>, known: &Known) -> Option<String> {
    let has_tabs = match known.values().all(|indent| indent.is_empty()) {
        true => file.has_tabs(),
        false => known.values().any(|indent| indent.contains('\t')),
    };
    if has_tabs { Some("\t".to_owned()) } else { file.step().map(|step| " ".repeat(step)) }
}
