//! What belongs to the notation of a patch, and what to the files: nothing of a file is taken for notation.

use std::collections::BTreeMap;

use hermes_tools::patching::apply;

/// What becomes of the file `f`; `None` if the patch is refused.
fn patched(before: Option<&str>, patch: &str) -> Option<String> {
    let files = before.map(|text| ("f".to_owned(), text.as_bytes().to_vec()));
    let after = apply(&files.into_iter().collect::<BTreeMap<_, _>>(), patch).ok()?;
    after.files.get("f").map(|bytes| String::from_utf8(bytes.clone()).unwrap())
}

fn updated(before: &str, hunk: &str) -> Option<String> {
    patched(Some(before), &format!("*** Begin Patch\n*** Update File: f\n{hunk}\n*** End Patch\n"))
}

fn added(body: &str) -> Option<String> {
    patched(None, &format!("*** Begin Patch\n*** Add File: f\n{body}\n*** End Patch\n"))
}

#[test]
fn a_line_that_begins_with_a_backslash_is_a_line() {
    let text = "\\section{A}\nx\n\\section{B}\nx\n";
    let right = Some("\\section{A}\nx\n\\section{B}\ny\n".to_owned());
    assert_eq!(updated(text, "@@\n\\section{B}\n-x\n+y"), right);
    assert_eq!(updated("x\n", "@@\n\\section{B}\n-x\n+y"), None, "its context is not there");
    assert_eq!(updated("\\ a\nx\n", "@@\n\\ b\n-x\n+y"), None);
    assert_eq!(updated("\\ a\nx\n", "@@\n\\ a\n-x\n+y"), Some("\\ a\ny\n".to_owned()));
}

/// What says that the last line has no end stands below a line, and is done: what it says of the old line alone is no
/// longer so.
#[test]
fn the_end_of_the_last_line_is_as_the_patch_says() {
    let bare = "\\ No newline at end of file";
    for (before, hunk, right) in [
        ("a\nx", format!(" a\n-x\n{bare}\n+y"), "a\ny\n"),
        ("a\nx", format!(" a\n-x\n+y\n{bare}"), "a\ny"),
        ("a\nx", format!(" a\n-x\n{bare}\n+y\n{bare}"), "a\ny"),
        ("a\nx", " a\n-x\n+y".to_owned(), "a\ny"),
        ("a\nx\n", format!(" a\n-x\n+y\n{bare}"), "a\ny"),
        ("a\r\nx", format!("-x\n{bare}\n+x"), "a\r\nx\r\n"),
        ("a\rx", format!("-x\n{bare}\n+y"), "a\ry\r"),
    ] {
        assert_eq!(updated(before, &format!("@@\n{hunk}")).as_deref(), Some(right), "{before:?} {hunk}");
    }
    assert_eq!(updated("x\na\n", &format!("@@\n-x\n+y\n{bare}")), None, "it is not the last line");
    assert_eq!(added(&format!("+a\n{bare}")).as_deref(), Some("a"));
    assert_eq!(added(&format!("+a\n{bare}\n+b")), None);
}

#[test]
fn a_fence_is_packing_only_around_the_patch() {
    let text = "```\nx\n```\n\nx\n";
    assert_eq!(updated(text, "@@\n```\n-x\n+y\n```"), Some("```\ny\n```\n\nx\n".to_owned()));
    assert_eq!(updated("x\n", "@@\n```sh\n-x\n+y\n```"), None, "its context is not there");
    assert_eq!(added("+a\n```\n+b"), None);
    let bare = "*** Update File: f\n@@\n-x\n+y\n";
    for packed in [
        format!("```diff\n{bare}```\n"),
        format!("```\n*** Begin Patch\n{bare}*** End Patch\n```"),
        format!("```\n*** Begin Patch\n{bare}```\n\n"),
        format!("Here it is:\n```\n*** Begin Patch\n{bare}*** End Patch\n```\nDone.\n"),
    ] {
        assert_eq!(patched(Some("x\n"), &packed), Some("y\n".to_owned()), "{packed}");
    }
    assert_eq!(patched(Some("x\n"), &format!("{bare}```\n")), None, "nothing opened it");
}

#[test]
fn the_end_of_the_file_is_where_it_says() {
    let text = "def a():\n    x\n\ndef b():\n    y\n";
    let at_end = Some(format!("{text}z = 1\n"));
    assert_eq!(updated(text, "@@ def a():\n+z = 1\n*** End of File"), at_end);
    assert_eq!(updated(text, "@@ def b():\n+    z\n*** End of File"), Some(format!("{text}    z\n")));
    assert_eq!(
        updated(text, "@@ def a():\n+    z\n*** End of File"),
        None,
        "the end is below another heading"
    );
    assert_eq!(updated("a\nb\n", "@@ -0,0 +1 @@\n+x\n*** End of File"), None, "that is the beginning");
}

#[test]
fn blank_lines_between_the_lines_of_a_new_file_are_its_own() {
    assert_eq!(added("+a\n\n+b"), Some("a\n\nb\n".to_owned()));
    assert_eq!(added("+a\n\n\n+b\n \n+c"), Some("a\n\n\nb\n\nc\n".to_owned()));
    assert_eq!(added("\n+a\n+\n\n"), Some("a\n\n".to_owned()), "around them they only separate");
    let two = "*** Begin Patch\n*** Add File: g\n+a\n\n*** Add File: f\n+b\n*** End Patch";
    assert_eq!(patched(None, two), Some("b\n".to_owned()));
}
