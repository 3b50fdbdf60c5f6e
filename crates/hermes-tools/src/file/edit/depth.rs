//! Text that is written from its first letter on, though in the file blanks stand in front of it: its first line takes
//! the file's indentation, and every further line only what is written.

use super::gist::gist;
use super::indent::split;

/// Whether only blanks stand in front of a place in its line, and some do.
pub(super) fn is_behind_blanks(content: &str, at: usize) -> bool {
    let before = content.get(..at).unwrap_or_default();
    let above = before.trim_end_matches([' ', '\t']);
    above.len() < before.len() && (above.is_empty() || above.ends_with('\n'))
}

/// Whether the first line of `old` would lose the blanks that stand in front of it in the file: `new` has it further down
/// at the depth that it has in `old`, oftener than `old` itself.
pub(super) fn is_left(old: &str, new: &str) -> bool {
    let at_depth = |line: &str| {
        let (indent, rest) = split(line);
        (indent.to_owned(), gist(rest))
    };
    let Some(first) = old.lines().next().map(at_depth) else { return false };
    let further_down = |text: &str| text.lines().skip(1).filter(|line| at_depth(line) == first).count();
    !first.1.is_empty() && further_down(new) > further_down(old)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_line_leaves_its_depth_where_it_comes_again() {
        assert!(is_left("if a:\n    f()\n", "g()\nif a:\n    f()\n"));
        assert!(is_left("a\n", "b\r\na\r\n"));
        assert!(is_left("a", "a\na "));
        assert!(is_left("# it's", "x\n# it’s"), "however it is written");
    }

    #[test]
    fn it_does_not_where_its_depth_is_written_or_it_was_there() {
        assert!(!is_left("if a:\n    f()\n", "g()\n  if a:\n    f()\n"));
        assert!(!is_left("if a:\n    f()\n", "if a:\n    g()\n"));
        assert!(!is_left("  if a:\n    f()\n", "  g()\nif a:\n    f()\n"));
        assert!(!is_left("}\n}\n", "}\n}\nf()\n"), "`old` has it there too");
        assert!(!is_left(" \na", "a\n \n"), "a line without anything has no depth");
    }

    #[test]
    fn blanks_are_indentation_only_at_the_beginning_of_a_line() {
        assert!(is_behind_blanks("  a", 2));
        assert!(is_behind_blanks("a\n\tb", 3));
        assert!(!is_behind_blanks("x a", 2));
        assert!(!is_behind_blanks("a\nb", 2));
    }
}
