//! What a model reads when its edit is refused: what is wrong, where it may have been meant, and what to do next.

use hermes_core::{ErrorCode, ToolError};
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::{failure, value};

const FILE: &str = "def alpha():\n    x = 1\n    return x\n\ndef beta():\n    x = 1\n    return x\n";

async fn refused(test: &TestRuntime, arguments: Value) -> (ToolError, String) {
    let before = test.read("f.py");
    let error = failure(test.call("patch", arguments).await);
    assert_eq!(test.read("f.py"), before, "nothing was changed");
    let hint = error.hint.clone().unwrap_or_default();
    (error, hint)
}

fn patch(lines: &[&str]) -> Value {
    json!({"patch": format!("*** Begin Patch\n{}\n*** End Patch\n", lines.join("\n"))})
}

#[tokio::test]
async fn a_file_that_is_not_there_is_told_with_names_like_it() {
    let test = TestRuntime::new().await;
    test.write("f.py", FILE);
    test.write("handler.py", "x\n");
    for arguments in [
        json!({"path": "handlers.py", "old_string": "x", "new_string": "y"}),
        patch(&["*** Update File: handlers.py", "@@", "-x", "+y"]),
        patch(&["*** Delete File: handlers.py"]),
    ] {
        let (error, hint) = refused(&test, arguments).await;
        assert_eq!(error.code, ErrorCode::NotFound);
        assert_eq!(error.data["similar_files"][0], "handler.py");
        assert!(hint.contains("similar_files"), "{hint}");
        assert!(!error.data.contains_key("missing"));
    }
    let (_, hint) = refused(&test, patch(&["*** Update File: zzzzzzzz", "@@", "-x", "+y"])).await;
    assert!(hint.contains("*** Add File"), "{hint}");
}

#[tokio::test]
async fn a_heading_that_no_line_is_comes_with_the_nearest_lines() {
    let test = TestRuntime::new().await;
    test.write("f.py", FILE);
    let patch = patch(&["*** Update File: f.py", "@@ def betta():", "-    x = 1", "+    x = 2"]);
    let (error, _) = refused(&test, patch).await;
    assert!(error.message.contains("'def betta():'"), "{}", error.message);
    assert!(error.message.contains("line 5 'def beta():'"), "{}", error.message);
}

#[tokio::test]
async fn what_diff_writes_is_told_how_it_becomes_a_patch() {
    let test = TestRuntime::new().await;
    test.write("f.py", FILE);
    let diff = "diff --git a/f.py b/f.py\n--- a/f.py\n+++ b/f.py\n@@ -5,2 +5,2 @@\n def beta():\n-    x = 1\n+    x = 2\n";
    let (error, hint) = refused(&test, json!({"patch": diff})).await;
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    assert!(hint.contains("diff -u") && hint.contains("*** Update File: path"), "{hint}");
    // And doing so works.
    let body = diff.split_once("@@").unwrap().1;
    let told = format!("*** Begin Patch\n*** Update File: f.py\n@@{body}*** End Patch");
    value(test.call("patch", json!({"patch": told})).await);
    assert_eq!(test.read("f.py"), FILE.replace("beta():\n    x = 1", "beta():\n    x = 2"));
}

#[tokio::test]
async fn line_numbers_of_a_listing_do_not_get_into_a_file() {
    let test = TestRuntime::new().await;
    test.write("f.py", FILE);
    let numbers = "without";
    for (old, new) in [
        ("2|    x = 1\n3|    return x\n4|", "    x = 2"),
        ("1|def alpha():", "def gamma():"),
        ("def beta():", "5|def gamma():"),
        ("def alpha():\n    x = 1", "1|def alpha():\n2|    x = 2"),
    ] {
        let (_, hint) = refused(&test, json!({"path": "f.py", "old_string": old, "new_string": new})).await;
        assert!(hint.contains(numbers), "{old}: {hint}");
    }
    // Text of its own that looks alike is written.
    let table = json!({"path": "f.py", "old_string": "def beta():", "new_string": "9|x"});
    value(test.call("patch", table).await);
}

#[tokio::test]
async fn a_move_to_its_own_name_moves_nothing() {
    let test = TestRuntime::new().await;
    test.write("f.py", FILE);
    let (error, _) = refused(&test, patch(&["*** Move File: f.py -> f.py"])).await;
    assert!(!error.message.contains("delete it first"), "{}", error.message);
    let update =
        ["*** Update File: f.py", "*** Move to: ./f.py", "@@", " def beta():", "-    x = 1", "+    x = 2"];
    value(test.call("patch", patch(&update)).await);
    assert_eq!(test.read("f.py"), FILE.replace("beta():\n    x = 1", "beta():\n    x = 2"));
}
