//! Two texts compared line by line.

use std::borrow::Cow;
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices_deadline, group_diff_ops};

/// After this long a coarser diff is as good.
const PATIENCE: Duration = Duration::from_millis(500);

/// What does not count as a difference.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leniency {
    pub(crate) whitespace: bool,
    pub(crate) case: bool,
}

impl Leniency {
    /// The line as it is compared.
    fn seen(self, line: &str) -> Cow<'_, str> {
        let mut seen = Cow::Borrowed(line);
        if self.whitespace {
            seen = Cow::Owned(seen.split_whitespace().collect());
        }
        if self.case { Cow::Owned(seen.to_lowercase()) } else { seen }
    }
}

/// Two texts and how one becomes the other.
pub(crate) struct Compared<'a> {
    pub(crate) old: Vec<&'a str>,
    pub(crate) new: Vec<&'a str>,
    ops: Vec<DiffOp>,
}

/// A run of lines that differ, or that are the same.
pub(crate) struct Run {
    pub(crate) is_same: bool,
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

impl<'a> Compared<'a> {
    pub(crate) fn new(old: &'a str, new: &'a str, leniency: Leniency) -> Self {
        let (old, new): (Vec<&str>, Vec<&str>) =
            (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
        let seen = |lines: &[&'a str]| -> Vec<Cow<'a, str>> {
            lines.iter().map(|line| leniency.seen(line)).collect()
        };
        let deadline = Instant::now().checked_add(PATIENCE);
        let ops = capture_diff_slices_deadline(Algorithm::Myers, &seen(&old), &seen(&new), deadline);
        Compared { old, new, ops }
    }

    pub(crate) fn is_same(&self) -> bool {
        self.ops.iter().all(|op| op.tag() == DiffTag::Equal)
    }

    pub(crate) fn added(&self) -> usize {
        self.differing().map(|run| run.new.len()).sum()
    }

    pub(crate) fn removed(&self) -> usize {
        self.differing().map(|run| run.old.len()).sum()
    }

    fn differing(&self) -> impl Iterator<Item = Run> {
        self.ops.iter().map(run).filter(|run| !run.is_same)
    }

    /// The differences with `context` lines around them, in groups.
    pub(crate) fn groups(&self, context: usize) -> Vec<Vec<Run>> {
        let groups = group_diff_ops(self.ops.clone(), context);
        groups.iter().map(|group| group.iter().map(run).collect()).collect()
    }

    /// As `diff -u` writes it; a name of `None` stands for a file that is not there. Empty if nothing differs.
    pub(crate) fn unified(&self, old_name: Option<&str>, new_name: Option<&str>, context: usize) -> String {
        if self.is_same() {
            return String::new();
        }
        let name = |name: Option<&str>| name.unwrap_or("/dev/null").to_owned();
        let mut text = format!("--- {}\n+++ {}\n", name(old_name), name(new_name));
        for group in self.groups(context) {
            let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
            let old = first.old.start..last.old.end;
            let new = first.new.start..last.new.end;
            text.push_str(&format!("@@ -{} +{} @@\n", span(&old), span(&new)));
            for run in &group {
                if run.is_same {
                    put(&mut text, ' ', self.old.get(run.old.clone()));
                } else {
                    put(&mut text, '-', self.old.get(run.old.clone()));
                    put(&mut text, '+', self.new.get(run.new.clone()));
                }
            }
        }
        text
    }
}

fn run(op: &DiffOp) -> Run {
    Run { is_same: op.tag() == DiffTag::Equal, old: op.old_range(), new: op.new_range() }
}

/// Line numbers as they stand in a hunk's heading.
fn span(range: &Range<usize>) -> String {
    match range.len() {
        1 => (range.start + 1).to_string(),
        0 => format!("{},0", range.start),
        length => format!("{},{length}", range.start + 1),
    }
}

fn put(text: &mut String, sign: char, lines: Option<&[&str]>) {
    for line in lines.unwrap_or_default() {
        text.push(sign);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// The difference between two versions of a text, as `diff -u` writes it.
pub(crate) fn unified(old: (Option<&str>, &str), new: (Option<&str>, &str), context: usize) -> String {
    Compared::new(old.1, new.1, Leniency::default()).unified(old.0, new.0, context)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_names_both_sides_and_counts() {
        let compared = Compared::new("one\ntwo\n", "one\n2\n", Leniency::default());
        let diff = compared.unified(Some("a"), Some("b"), 3);
        assert_eq!(diff, "--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
        assert_eq!((compared.added(), compared.removed()), (1, 1));
        assert!(
            unified((None, ""), (Some("b"), "x\n"), 3).starts_with("--- /dev/null\n+++ b\n@@ -0,0 +1 @@\n")
        );
        assert_eq!(unified((Some("a"), "x"), (Some("b"), "x"), 3), "");
        assert!(unified((Some("a"), "x"), (Some("b"), "x\n"), 3).contains("\\ No newline at end of file"));
    }

    #[test]
    fn leniency_hides_what_it_names() {
        let same = |old, new, leniency| Compared::new(old, new, leniency).is_same();
        let spaces = Leniency { whitespace: true, case: false };
        assert!(same("a  b\n", "a b \n", spaces) && !same("a b\n", "A b\n", spaces));
        assert!(same("A\n", "a\n", Leniency { whitespace: false, case: true }));
    }
}
