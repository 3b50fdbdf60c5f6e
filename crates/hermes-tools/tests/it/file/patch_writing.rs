//! The file's own writing survives an edit, and no text becomes a control character by a guess.

use std::collections::BTreeMap;

use hermes_tools::patching::{apply, replace};

fn updated(before: &str, hunk: &str) -> String {
    let files = BTreeMap::from([("f".to_owned(), before.as_bytes().to_vec())]);
    let patch = format!("*** Begin Patch\n*** Update File: f\n@@\n{hunk}\n*** End Patch\n");
    let after = apply(&files, &patch).unwrap();
    String::from_utf8(after.files["f"].clone()).unwrap()
}

fn replaced(content: &str, old: &str, new: &str) -> Option<String> {
    let made = replace(content.as_bytes(), old, new, false).ok()?;
    Some(String::from_utf8(made.content).unwrap())
}

#[test]
fn accents_of_lines_that_stay_are_spelled_as_they_were() {
    let text = "cafe\u{301}\nthe\u{301}\nx\n";
    assert_eq!(updated(text, " caf\u{e9}\n th\u{e9}\n-x\n+y"), "cafe\u{301}\nthe\u{301}\ny\n");
    assert_eq!(updated(text, "-caf\u{e9}\n-th\u{e9}\n+caf\u{e9}\n+y\n x"), "cafe\u{301}\ny\nx\n");
    let mixed = "cafe\u{301}\nth\u{e9}\n";
    let edited = replaced(mixed, "caf\u{e9}\nth\u{e9}\n", "caf\u{e9}\nlait\n");
    assert_eq!(edited.as_deref(), Some("cafe\u{301}\nlait\n"));
}

#[test]
fn characters_of_two_bytes_are_not_cut() {
    // In Shift-JIS the second byte of these is a backslash, and that of others a letter.
    let text = b"# \x83\x5c\x83\x5c \x8e\xa6\x83\x65\nx = 1\n";
    assert_eq!(replace(text, "\\", "/", true).unwrap_err().kind, "not_text");
    assert_eq!(replace(text, "x = 1", "x = 2", false).unwrap_err().kind, "not_text");
    let files = BTreeMap::from([("f".to_owned(), text.to_vec())]);
    let refusal = apply(&files, "*** Begin Patch\n*** Update File: f\n@@\n-x = 1\n+x = 2\n*** End Patch\n");
    assert!(refusal.unwrap_err().contains("convert it to UTF-8"));
    let latin1 = replace(b"Gr\xf6\xdfe = na\xefve\nx = 1\n", "x = 1", "x = 2", false).unwrap();
    assert_eq!(latin1.content, b"Gr\xf6\xdfe = na\xefve\nx = 2\n");
}

#[test]
fn escapes_are_undone_together_or_not_at_all() {
    let content = "p = \"C:\\\\temp\"\nq = 1\n";
    let (old, new) = (r#"p = "C:\\\\temp"\nq = 1"#, r#"p = "C:\\\\temp"\nq = 2"#);
    assert_eq!(replaced(content, old, new).as_deref(), Some("p = \"C:\\\\temp\"\nq = 2\n"));
    for new in [r#"a\nprint("x\n")"#, r"a\nprint('x\n', 1)", r"a\ncd C:\new", r"a\nC:\temp"] {
        assert_eq!(replaced("a\nb\n", r"a\nb", new), None, "{new}");
    }
    assert_eq!(replaced("a\tb\n", r"a\tb", r"a\tC:\temp"), None);
    assert_eq!(replaced("a\nb\n", r"a\nb", r"a\nx\nb").as_deref(), Some("a\nx\nb\n"));
}
