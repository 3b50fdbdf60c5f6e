//! Text that is written from its first letter on, though in the file blanks stand in front of it: its first line takes
//! the file's indentation, and every further line only what is written.

/// Whether only blanks stand in front of a place in its line, and some do.
pub(super) fn is_behind_blanks(content: &str, at: usize) -> bool {
    let before = content.get(..at).unwrap_or_default();
    let above = before.trim_end_matches([' ', '\t']);
    above.len() < before.len() && (above.is_empty() || above.ends_with('\n'))
}

/// Whether the first line of `old`, which stands behind blanks in the file, would lose them: `new` has it further down
/// as it is written in `old`, oftener than `old` itself.
pub(super) fn is_left(content: &str, old: &str, new: &str) -> bool {
    let bare = |line: &'_ str| line.trim_end_matches([' ', '\t']).len();
    let Some(first) = old.lines().next().and_then(|first| first.get(..bare(first))) else { return false };
    let further_down =
        |text: &str| text.lines().skip(1).filter(|line| line.get(..bare(line)) == Some(first)).count();
    if first.trim().is_empty() || further_down(new) <= further_down(old) {
        return false;
    }
    let (content, old) = (content.replace("\r\n", "\n"), old.replace("\r\n", "\n"));
    content.match_indices(&old).any(|(at, _)| is_behind_blanks(&content, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_line_leaves_its_depth_where_it_comes_again() {
        let content = "if t:\n  if a:\n    f()\n";
        assert!(is_left(content, "if a:\n    f()\n", "g()\nif a:\n    f()\n"));
        assert!(is_left("  a\r\n  b\r\n", "a\n", "b\na\n"));
        assert!(is_left("  a \n", "a", "a\na"));
    }

    #[test]
    fn it_does_not_where_its_depth_is_written_or_nothing_stands_in_front() {
        let content = "if t:\n  if a:\n    f()\n";
        assert!(!is_left(content, "if a:\n    f()\n", "g()\n  if a:\n    f()\n"));
        assert!(!is_left(content, "if a:\n    f()\n", "if a:\n    g()\n"));
        assert!(!is_left(content, "  if a:\n    f()\n", "  g()\n  if a:\n    f()\n"));
        assert!(!is_left("  }\n}\n", "}\n}\n", "}\n}\nf()\n"), "`old` has it there too");
        assert!(!is_left("x a\n", "a", "b\na"), "no indentation");
    }
}
