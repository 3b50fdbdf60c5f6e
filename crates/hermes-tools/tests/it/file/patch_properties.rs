//! What must hold of every edit, whatever the texts are.

use std::collections::BTreeMap;

use hermes_tools::patching::{apply, replace};
use proptest::prelude::*;

/// Lines of few words, so that they often resemble each other.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "a", "b", "x = 1", "x = 2", "  if a:", "\tif a:", "it’s", "it's", "é", "e\u{301}", "", " "
    ];
    let ending = prop_oneof!["\n", "\r\n"];
    let lines = proptest::collection::vec((word, ending), 0..12);
    lines.prop_map(|lines| lines.into_iter().map(|(word, ending)| format!("{word}{ending}")).collect())
}

/// A text without what a tolerant search may look past.
fn bare(text: &str) -> String {
    let plain = text.replace(['’', '‘'], "'").replace("e\u{301}", "é");
    plain.chars().filter(|character| !character.is_whitespace()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn a_text_that_stands_once_is_replaced_as_it_stands(content in text(), from in 0..200_usize, length in 1..60_usize) {
        let places: Vec<usize> = content.char_indices().map(|(at, _)| at).chain([content.len()]).collect();
        let start = places[from % places.len()];
        let end = places[(from % places.len() + length).min(places.len() - 1)];
        let old = content.get(start..end).unwrap_or_default();
        prop_assume!(!old.is_empty() && !old.contains('\r') && content.matches(old).count() == 1);
        // Which of two places is meant that differ by their line endings only, nobody can tell.
        prop_assume!(content.replace("\r\n", "\n").matches(old).count() == 1);
        // A newline does not go without the carriage return in front of it.
        let before = content.split(old).next().unwrap_or_default();
        prop_assume!(!(old.starts_with('\n') && before.ends_with('\r')));
        // Nor do several lines stand to each other as written where the first one is deeper.
        let above = before.trim_end_matches([' ', '\t']);
        let is_amid_blanks = above.len() < before.len() && (above.is_empty() || above.ends_with('\n'));
        prop_assume!(!(is_amid_blanks && old.starts_with([' ', '\t']) && old.strip_suffix('\n').unwrap_or(old).contains('\n')));
        // Nor does a letter without its accent.
        prop_assume!(!content.get(end..).unwrap_or_default().starts_with('\u{301}'));
        let made = replace(content.as_bytes(), old, "NEW", false).unwrap();
        prop_assert_eq!(String::from_utf8(made.content).unwrap(), content.replacen(old, "NEW", 1));
        prop_assert_eq!(made.strategy, "exact");
    }

    #[test]
    fn an_edit_never_changes_more_than_it_was_asked_to(content in text(), old in text()) {
        if let Ok(made) = replace(content.as_bytes(), &old, "NEW", false) {
            let after = String::from_utf8(made.content).unwrap();
            // But for blanks and typography, putting the old text back gives the old content.
            prop_assert_eq!(bare(&after.replacen("NEW", &old, 1)), bare(&content));
            prop_assert_eq!(made.count, 1);
        }
    }

    #[test]
    fn no_patch_is_half_applied(before in text(), patch in ".{0,200}", hunk in text()) {
        let files = BTreeMap::from([("a".to_owned(), before.clone().into_bytes())]);
        let _ = apply(&files, &patch);
        let lines: String = hunk.lines().map(|line| format!("-{line}\n")).collect();
        let whole = format!("*** Begin Patch\n*** Add File: new\n+x\n*** Update File: a\n@@\n{lines}+NEW\n*** End Patch");
        if let Ok(patched) = apply(&files, &whole) {
            prop_assert_eq!(patched.files.get("new").map(Vec::as_slice), Some(&b"x\n"[..]));
            let after = String::from_utf8(patched.files["a"].clone()).unwrap();
            prop_assert_eq!(bare(&after.replacen("NEW", &hunk, 1)), bare(&before));
        }
    }
}

/// What is found out about the whole file is found out once: with as many places as lines, doing so for each of them
/// would take longer than anybody waits.
#[test]
fn many_places_are_no_reason_to_read_the_file_as_often() {
    let count = 6_000;
    let content = "    x = 1\n    y = 2\n".repeat(count);
    let made = replace(content.as_bytes(), "x = 1\ny = 2", "x = 1\nif a:\n    y = 3", true).unwrap();
    assert_eq!(made.content, "    x = 1\n    if a:\n        y = 3\n".repeat(count).into_bytes());
    assert_eq!(replace(content.as_bytes(), "x = 1\ny = 2", "z", false).unwrap_err().kind, "ambiguous");
    let grown = replace(content.as_bytes(), "x = 1", "x = 1\n    z = 3", true).unwrap();
    assert_eq!(grown.count, count);
    let flags = "🇩🇪".repeat(40 * count);
    assert_eq!(replace(flags.as_bytes(), "🇩🇪", "🇫🇷", true).unwrap().count, 40 * count);
    let line = format!("b\r\n{}\n", "a ".repeat(20 * count));
    assert_eq!(replace(line.as_bytes(), "a", "b\na", true).unwrap().count, 20 * count);
}

/// A line that is named one level less deep than it stands goes with all of its indentation.
#[test]
fn a_line_that_goes_leaves_no_blanks_in_front_of_the_next() {
    let made =
        |content: &str, old| String::from_utf8(replace(content.as_bytes(), old, "", false).unwrap().content);
    assert_eq!(made("if a:\n    x()\n    y()\n", "  x()\n").unwrap(), "if a:\n    y()\n");
    assert_eq!(made("if a:\r\n\t\tx()\r\n\ty()\r\n", "\tx()\n").unwrap(), "if a:\r\n\ty()\r\n");
    assert_eq!(made("if a:\n    x()\n    y()\n", "    x()\n").unwrap(), "if a:\n    y()\n");
    assert_eq!(made("a   b\nc\n", "  b\n").unwrap(), "a c\n", "no indentation");
}

/// Who sends one text with escapes written out has sent the other so too, quotes and all.
#[test]
fn quotes_of_a_text_that_was_escaped_too_often_are_not_written() {
    let content = "def f():\n    x = 1\n";
    for new in ["def f():\\n    x = \\\"y\\\"", "def f():\\n    x = \\'y\\'"] {
        assert_eq!(
            replace(content.as_bytes(), "def f():\\n    x = 1", new, false).unwrap_err().kind,
            "not_found"
        );
    }
}
