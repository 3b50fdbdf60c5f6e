//! How far apart the levels of a text are: what its lines do most often from one to the next. Lines that are aligned
//! with something, and the rest of block comments, would make the smallest difference a level.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::indent::split;

/// Steps that people indent by. What differs by another number of columns is mostly aligned with something.
pub(super) const USUAL: [usize; 3] = [2, 4, 8];

/// What a tab counts for. Only that it is the same on all lines of a text matters.
pub(super) const TAB: usize = 4;

/// Columns of an indentation.
pub(super) fn columns(indent: &str) -> usize {
    indent.chars().map(|blank| if blank == '\t' { TAB } else { 1 }).sum()
}

/// The depth of a line; `None` if nothing stands on it.
pub(crate) fn depth_of(line: &str) -> Option<usize> {
    (!line.trim().is_empty()).then(|| columns(split(line).0))
}

/// The depths that lines have, in order. What follows a list item's dash stands at a depth of its own, if something
/// else stands there too or below it.
pub(super) fn depths<'a>(lines: impl Iterator<Item = &'a str>) -> impl Iterator<Item = usize> {
    let mut lines = lines.filter(|line| !line.trim().is_empty()).map(split).peekable();
    let each = std::iter::from_fn(move || {
        let (indent, rest) = lines.next()?;
        let depth = (!is_comment_rest(rest)).then(|| columns(indent));
        let next = lines.peek().map_or(0, |(indent, _)| columns(indent));
        let opens = |depth: usize| next == depth + 2 || (next > depth && rest.trim_end().ends_with(':'));
        let inner = depth.filter(|depth| rest.starts_with("- ") && opens(*depth)).map(|depth| depth + 2);
        Some(depth.into_iter().chain(inner))
    });
    each.flatten()
}

/// Whether a line goes on with a block comment, whose stars stand one column further in than what they belong to.
pub(crate) fn is_comment_rest(rest: &str) -> bool {
    rest.starts_with("* ") || rest.starts_with("*/") || rest == "*"
}

/// How a file is indented: found out once, and only if somebody asks.
pub(crate) struct Levels<'a> {
    file: &'a str,
    step: OnceCell<Option<usize>>,
    has_tabs: OnceCell<bool>,
}

impl<'a> Levels<'a> {
    pub(crate) fn of(file: &'a str) -> Self {
        Levels { file, step: OnceCell::new(), has_tabs: OnceCell::new() }
    }

    /// The difference between two levels; `None` if there are none.
    pub(crate) fn step(&self) -> Option<usize> {
        let found = || step(&std::iter::once(0).chain(depths(self.file.lines())).collect::<Vec<usize>>());
        *self.step.get_or_init(found)
    }

    /// Whether two depths may well be whole levels apart.
    pub(crate) fn are_apart(&self, one: usize, other: usize) -> bool {
        let difference = one.abs_diff(other);
        difference == 0
            || self.step().map_or(USUAL.contains(&difference), |step| difference.is_multiple_of(step))
    }

    /// Whether most lines that are indented begin with a tab.
    pub(super) fn has_tabs(&self) -> bool {
        let lines = || self.file.lines().filter(|line| !is_comment_rest(split(line).1));
        let count = |blank: char| lines().filter(|line| line.starts_with(blank)).count();
        *self.has_tabs.get_or_init(|| count('\t') > count(' '))
    }
}

/// The difference between two levels; `None` where all lines are at one depth.
pub(super) fn step(depths: &[usize]) -> Option<usize> {
    let changes = |is_change: fn(usize, usize) -> Option<usize>| {
        let mut counted: BTreeMap<usize, usize> = BTreeMap::new();
        for pair in depths.windows(2) {
            if let [one, next] = pair
                && let Some(change) = is_change(*one, *next).filter(|change| *change > 0)
            {
                *counted.entry(change).or_default() += 1;
            }
        }
        counted
    };
    // Deeper is one level mostly; back may be several.
    let deeper = changes(|one, next| next.checked_sub(one));
    if deeper.is_empty() {
        return changes(|one, next| one.checked_sub(next)).into_keys().next();
    }
    let fits = |step: usize| depths.iter().filter(|depth| depth.is_multiple_of(step)).count();
    deeper
        .into_iter()
        .max_by_key(|(step, count)| (*count, USUAL.contains(step), fits(*step), usize::MAX - step))
        .map(|(step, _)| step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_step(text: &str, expected: Option<usize>) {
        let depths: Vec<usize> = depths(text.lines()).collect();
        assert_eq!(step(&depths), expected, "{text}");
    }

    #[test]
    fn levels_are_told_from_what_is_only_aligned() {
        assert_step("def f():\n    a(1,\n      2)\n    if b:\n        c()\n", Some(4));
        assert_step("x = [1,\n     2]\ndef f():\n    a()\n    b()\n", Some(4));
        assert_step("/*\n * a\n * b\n */\nf() {\n    a();\n}\n", Some(4));
        assert_step("x = [1,\n     2,\n     3]\na:\n  b\n", Some(2));
        assert_step("a:\n   b:\n      c\nx(1,\n  2)\n", Some(3));
        assert_step("a:\n  b:\n    c: 1\n", Some(2));
        assert_step("- a:\n    b: 1\n- c:\n    d: 1\n", Some(2));
        assert_step("a:\n\tb:\n\t\tc\n", Some(TAB));
        assert_step("    a\nb\n", Some(4));
        assert_step("  a\n  b\n", None);
        assert_step("- a\n- b\n", None);
        assert_step("f():\n    - a\n    - b\n", Some(4));
        assert_step("- a\n    - b\n    - c\n- d\n", Some(4));
        assert_step("- a: 1\n  b: 2\n", Some(2));
    }
}
