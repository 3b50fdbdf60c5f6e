//! Line endings of files that have several kinds, or one of old: a line that stays keeps its own.

use std::collections::BTreeMap;

use hermes_tools::patching::{apply, replace};
use proptest::prelude::*;

fn updated(before: &str, hunk: &str) -> String {
    let files = BTreeMap::from([("f".to_owned(), before.as_bytes().to_vec())]);
    let patch = format!("*** Begin Patch\n*** Update File: f\n@@\n{hunk}\n*** End Patch\n");
    let after = apply(&files, &patch).unwrap();
    String::from_utf8(after.files["f"].clone()).unwrap()
}

fn replaced(content: &str, old: &str, new: &str) -> String {
    String::from_utf8(replace(content.as_bytes(), old, new, true).unwrap().content).unwrap()
}

#[test]
fn lines_around_a_hunk_keep_their_endings() {
    assert_eq!(updated("a\nb\r\nc\n", " a\n-b\n c"), "a\nc\n");
    assert_eq!(updated("a\r\nb\nc\n", " a\n+x\n b"), "a\r\nx\r\nb\nc\n");
    assert_eq!(updated("a\nb\r\nc\nd\r\n", " a\n-b\n-c\n+c\n+e\n d"), "a\nc\ne\nd\r\n");
    assert_eq!(updated("a\nb\r\nc", " b\n c\n+d"), "a\nb\r\nc\r\nd", "the last line gets what it lacked");
    assert_eq!(updated("a\nb\r\nc", "+d"), "a\nb\r\nc\r\nd");
    assert_eq!(updated("a\r\nb\r\nc\n", "-a\n+x\n+y"), "x\r\ny\r\nb\r\nc\n");
    assert_eq!(updated("a\r\nb\r\nc\n", "+x\n a"), "x\r\na\r\nb\r\nc\n", "as most lines");
}

#[test]
fn lines_that_a_replacement_repeats_keep_their_endings() {
    for (content, old, new, right) in [
        ("a\nb\r\nc\nd\n", "a\nb\nc\n", "a\nc\n", "a\nc\nd\n"),
        ("a\nb\r\nc\n", "a\nb\n", "a\nx\nb\n", "a\nx\nb\r\nc\n"),
        ("a\nb\r\nc\n", "a\nb", "a", "a\nc\n"),
        ("a\nb\r\nc\n", "a\nb", "a\nb\nx", "a\nb\r\nx\r\nc\n"),
        ("a\r\nb\nc\n", "b\n", "", "a\r\nc\n"),
        ("a\r\nb\nc\n", "b\n", "x\ny\n", "a\r\nx\ny\nc\n"),
        ("a b a\r\nc\n", "a", "a\nx", "a\r\nx b a\r\nx\r\nc\n"),
        ("  a\r\n  b\n  c\r\n", "a\nb\n", "b\n", "  b\n  c\r\n"),
        ("a\r\nb", "b", "b\nc", "a\r\nb\r\nc"),
        ("a\r\nb\nc\r\n", "a\nb\nc\n", "c\nb\na\n", "c\r\nb\na\r\n"),
        ("a\nb\r\nc\n", "a\nb", "b\na", "b\r\na\nc\n"),
        ("a\nb\r\nc\n", "a\n", "", "b\r\nc\n"),
        ("a\r\nb\t\nc \r\nd\n", "a\nb\nc\nd\n", "b\nx\nc\nd\n", "b\nx\nc\r\nd\n"),
        ("a\nb\r\nc\n", "a\n", "x ", "x b\r\nc\n"),
    ] {
        assert_eq!(replaced(content, old, new), right, "{content:?} {old:?} {new:?}");
    }
}

#[test]
fn carriage_returns_alone_end_lines_where_nothing_else_does() {
    assert_eq!(updated("a\rb\rc\r", " a\n-b\n+x\n+y"), "a\rx\ry\rc\r");
    assert_eq!(updated("a\rb", "+c"), "a\rb\rc");
    assert_eq!(replaced("a\rb\rc\r", "b", "x\ny"), "a\rx\ry\rc\r");
    assert_eq!(replaced("a\rb\rc\r", "a\nb\n", "b\n"), "b\rc\r");
    assert_eq!(replaced("\tif a:\r\t\tb\r", "if a:\n    b", "if c:\n    b"), "\tif c:\r\t\tb\r");
    assert_eq!(replaced("a\rb\nc\n", "c", "x\ny"), "a\rb\nx\ny\n", "elsewhere they are data");
    assert_eq!(replace(b"a\rb\r", "a\nb", "x", false).unwrap().strategy, "line endings");
    assert_eq!(replace(b"a\rb\r", "a\rb", "x", false).unwrap().strategy, "exact");
}

#[test]
fn what_changes_nothing_but_line_endings_changes_nothing() {
    for (content, old, new) in
        [("a\nb\n", "a\nb\n", "a\r\nb\r\n"), ("a\r\nb\r\n", "a\r\nb", "a\nb"), ("a\rb\r", "a\rb", "a\nb")]
    {
        assert_eq!(
            replace(content.as_bytes(), old, new, false).unwrap_err().kind,
            "identical",
            "{content:?}"
        );
    }
}

proptest! {
    /// Lines that are all different: after taking some away and adding others, every one that stays ends as it did.
    #[test]
    fn no_ending_moves_to_another_line(
        endings in prop::collection::vec(prop_oneof!["\n", "\r\n"], 2..9),
        fates in prop::collection::vec(0_u8..3, 9),
        from in 0_usize..8,
        count in 1_usize..9,
    ) {
        let lines: Vec<String> = (0..endings.len()).map(|at| format!("line {at}")).collect();
        let content: String = lines.iter().zip(&endings).map(|(line, end)| format!("{line}{end}")).collect();
        let from = from.min(lines.len() - 1);
        let (mut old, mut new, mut hunk) = (String::new(), String::new(), String::new());
        for (at, line) in lines.iter().enumerate().skip(from).take(count) {
            old += &format!("{line}\n");
            match fates[at] {
                0 => hunk += &format!("-{line}\n"),
                fate => {
                    new += &format!("{line}\n");
                    hunk += &format!(" {line}\n");
                    if fate == 2 {
                        new += &format!("new {at}\n");
                        hunk += &format!("+new {at}\n");
                    }
                }
            }
        }
        prop_assume!(old != new);
        for after in [replaced(&content, &old, &new), updated(&content, hunk.trim_end())] {
            let plain = content.replace("\r\n", "\n").replacen(&old, &new, 1);
            prop_assert_eq!(after.replace("\r\n", "\n"), plain);
            for (line, ending) in lines.iter().zip(&endings) {
                let stays = after.split_inclusive('\n').find(|own| own.trim_end() == line);
                prop_assert!(stays.is_none_or(|own| own == format!("{line}{ending}")), "{:?} {:?}", content, after);
            }
        }
    }
}
