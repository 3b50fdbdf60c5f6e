//! Unified diffs.

use std::time::Duration;

use similar::{Algorithm, ChangeTag, TextDiff, TextDiffConfig};

/// Two texts compared line by line.
pub(crate) struct Unified {
    /// Empty if there is no difference.
    pub(crate) diff: String,
    pub(crate) added: usize,
    pub(crate) removed: usize,
}

/// After this long a coarser diff is as good.
const PATIENCE: Duration = Duration::from_millis(500);

/// Compares two texts. A name of `None` stands for a file that is not there.
pub(crate) fn unified(
    (old_name, old): (Option<&str>, &str),
    (new_name, new): (Option<&str>, &str),
    context: usize,
) -> Unified {
    let diff: TextDiff<'_, '_, str> = config().diff_lines(old, new);
    let (mut added, mut removed) = (0, 0);
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Insert => added += 1,
            ChangeTag::Delete => removed += 1,
            ChangeTag::Equal => {}
        }
    }
    let name = |name: Option<&str>| name.unwrap_or("/dev/null").to_owned();
    let text = match added + removed {
        0 => String::new(),
        _ => diff.unified_diff().context_radius(context).header(&name(old_name), &name(new_name)).to_string(),
    };
    Unified { diff: text, added, removed }
}

pub(crate) fn config() -> TextDiffConfig {
    let mut config = TextDiff::configure();
    config.algorithm(Algorithm::Myers).timeout(PATIENCE);
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_names_both_sides_and_counts() {
        let compared = unified((Some("a"), "one\ntwo\n"), (Some("b"), "one\n2\n"), 3);
        assert_eq!(compared.diff, "--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
        assert_eq!((compared.added, compared.removed), (1, 1));
        assert_eq!(unified((None, ""), (Some("b"), "x"), 3).diff.lines().next(), Some("--- /dev/null"));
        assert_eq!(unified((Some("a"), "x"), (Some("b"), "x"), 3).diff, "");
        assert!(
            unified((Some("a"), "x"), (Some("b"), "x\n"), 3).diff.contains("\\ No newline at end of file")
        );
    }
}
