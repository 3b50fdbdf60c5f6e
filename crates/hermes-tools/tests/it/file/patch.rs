//! `patch` on real files, as a model meets it.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::{code, failure, value};

fn replace(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "old_string": old, "new_string": new})
}

fn v4a(lines: &[&str]) -> Value {
    let patch = format!("*** Begin Patch\n{}\n*** End Patch\n", lines.join("\n"));
    json!({"mode": "patch", "patch": patch})
}

#[tokio::test]
async fn one_place_is_replaced_and_everything_else_stays() {
    let test = TestRuntime::new().await;
    let path = test.write("a.py", "\u{feff}def a():\r\n\tpass\r\nlast");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o751)).unwrap();
    let answer =
        value(test.call("patch", replace("a.py", "def a():\n    pass", "def a():\n    run()")).await);
    assert_eq!(test.read("a.py"), "\u{feff}def a():\r\n\trun()\r\nlast");
    assert_eq!(path.metadata().unwrap().mode() & 0o7777, 0o751);
    assert_eq!(answer["matched_despite"], "indentation");
    assert!(answer["diff"].as_str().unwrap().contains("-\tpass"), "{answer}");
}

/// Providers that demand every field get null, or nothing, for those that are not meant.
#[tokio::test]
async fn fields_of_the_other_mode_may_be_empty_or_null() {
    let test = TestRuntime::new().await;
    test.write("a", "one\n");
    let filled = json!({"mode": "replace", "path": "a", "old_string": "one", "new_string": "two", "patch": "",
        "expected_hash": null, "replace_all": null, "preview": null});
    value(test.call("patch", filled).await);
    assert_eq!(test.read("a"), "two\n");
    let patch = v4a(&["*** Update File: a", "-two", "+three"])["patch"].clone();
    let filled = json!({"mode": "patch", "path": "", "old_string": "", "new_string": null, "patch": patch});
    value(test.call("patch", filled).await);
    assert_eq!(test.read("a"), "three\n");
    let missing = json!({"path": null, "old_string": "a", "new_string": "b"});
    assert_eq!(code(test.call("patch", missing).await), ErrorCode::InvalidArgument);
}

#[tokio::test]
async fn what_is_not_certain_is_refused_with_the_nearest_place() {
    let test = TestRuntime::new().await;
    test.write("a.py", "first\ntimeout = 60\nlast\n");
    let error = failure(test.call("patch", replace("a.py", "timeout = 30", "timeout = 90")).await);
    assert_eq!(error.code, ErrorCode::NotFound);
    assert_eq!(error.data["nearest"], json!([{"line": 2, "diff": "- timeout = 30\n+ timeout = 60\n"}]));
    test.write("b.py", "x = 1\ny\nx = 1\n");
    let error = failure(test.call("patch", replace("b.py", "x = 1", "x = 2")).await);
    assert_eq!((error.code, &error.data["lines"]), (ErrorCode::Conflict, &json!([1, 3])));
    assert_eq!(test.read("a.py"), "first\ntimeout = 60\nlast\n");
    assert_eq!(test.read("b.py"), "x = 1\ny\nx = 1\n");
}

#[tokio::test]
async fn encodings_are_kept_or_the_edit_is_refused() {
    let test = TestRuntime::new().await;
    let latin1 = test.write("a.txt", b"caf\xe9\nx\n");
    value(test.call("patch", replace("a.txt", "café\nx", "thé\ny")).await);
    assert_eq!(std::fs::read(&latin1).unwrap(), b"th\xe9\ny\n");
    assert_eq!(code(test.call("patch", replace("a.txt", "y", "漢")).await), ErrorCode::InvalidArgument);
    assert_eq!(std::fs::read(&latin1).unwrap(), b"th\xe9\ny\n");
    let binary = test.write("b.bin", b"a\0\0\0b");
    assert_eq!(code(test.call("patch", replace("b.bin", "a", "b")).await), ErrorCode::InvalidArgument);
    assert_eq!(std::fs::read(&binary).unwrap(), b"a\0\0\0b");
}

#[tokio::test]
async fn a_stale_edit_is_refused_with_the_current_text() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "old\n");
    let hash = value(test.call("read_file", json!({"path": "a.txt"})).await)["sha256"].clone();
    test.write("a.txt", "changed\n");
    let mut arguments = replace("a.txt", "changed", "new");
    arguments["expected_hash"] = hash;
    let error = failure(test.call("patch", arguments).await);
    assert_eq!((error.code, &error.data["current"]), (ErrorCode::Conflict, &json!({"content": "changed\n"})));
    assert_eq!(test.read("a.txt"), "changed\n");
}

#[tokio::test]
async fn the_mode_is_told_by_what_is_given() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "one\n");
    let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch";
    value(test.call("patch", json!({"patch": text})).await);
    assert_eq!(test.read("a.txt"), "two\n");
    // Where both are given, nobody knows which is meant.
    let both = json!({"patch": text, "path": "a.txt", "old_string": "two", "new_string": "three"});
    for (arguments, said) in [(both, "takes no patch"), (json!({"old_string": "two"}), "'path' is missing")] {
        let error = failure(test.call("patch", arguments).await);
        assert!(error.message.contains(said), "{error:?}");
    }
    assert_eq!(test.read("a.txt"), "two\n");
}

#[tokio::test]
async fn a_preview_changes_nothing() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "old\n");
    let mut arguments = replace("a.txt", "old", "new");
    arguments["preview"] = true.into();
    let answer = value(test.call("patch", arguments).await);
    assert_eq!(answer["diff"], "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n");
    assert_eq!(test.read("a.txt"), "old\n");
}

#[tokio::test]
async fn several_files_change_together() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "a\n");
    test.write("gone.txt", "x\n");
    let run = test.write("run.sh", "#!/bin/sh\necho 1\n");
    std::fs::set_permissions(&run, std::fs::Permissions::from_mode(0o755)).unwrap();
    let answer = value(
        test.call(
            "patch",
            v4a(&[
                "*** Update File: a.txt",
                "@@",
                "-a",
                "+b",
                "*** Delete File: gone.txt",
                "*** Add File: new/deep/n.txt",
                "+n",
                "*** Update File: run.sh",
                "*** Move to: bin/go.sh",
                "@@",
                "-echo 1",
                "+echo 2",
            ]),
        )
        .await,
    );
    assert_eq!(test.read("a.txt"), "b\n");
    assert!(!test.path("gone.txt").exists() && !test.path("run.sh").exists());
    assert_eq!(test.read("new/deep/n.txt"), "n\n");
    assert_eq!(test.read("bin/go.sh"), "#!/bin/sh\necho 2\n");
    assert_eq!(
        test.path("bin/go.sh").metadata().unwrap().mode() & 0o777,
        0o755,
        "a moved file keeps its mode"
    );
    assert_eq!(answer["files_moved"], json!(["run.sh -> bin/go.sh"]));
    assert_eq!(answer["files_deleted"], json!(["gone.txt"]));
    assert_eq!(leftovers(test.workspace()), Vec::<String>::new());
}

#[tokio::test]
async fn one_bad_file_spoils_the_whole_patch() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "a\n");
    test.write("b.txt", "b\n");
    for bad in [
        &["*** Update File: b.txt", "@@", "-nope", "+x"][..],
        &["*** Add File: b.txt", "+x"],
        &["*** Delete File: missing.txt"],
        &["*** Add File: a.txt/below", "+x"],
        &["*** Move File: b.txt -> a.txt"],
        &["*** Delete File: ."],
    ] {
        let lines =
            [&["*** Update File: a.txt", "@@", "-a", "+changed", "*** Add File: new/x", "+x"], bad].concat();
        assert!(!test.call("patch", v4a(&lines)).await.is_success(), "{bad:?}");
        assert_eq!((test.read("a.txt"), test.read("b.txt")), ("a\n".into(), "b\n".into()), "{bad:?}");
        assert!(!test.path("new").exists(), "{bad:?} left a folder behind");
        assert_eq!(leftovers(test.workspace()), Vec::<String>::new(), "{bad:?}");
    }
}

#[tokio::test]
async fn a_failure_in_the_middle_of_the_exchange_is_rolled_back() {
    // Root may write anywhere, so permissions cannot make a rename fail; a mount point can.
    let test = TestRuntime::new().await;
    for name in ["a.txt", "b.txt", "c.txt"] {
        test.write(name, "old\n");
    }
    let target = test.path("b.txt");
    let mounted = std::process::Command::new("mount").arg("--bind").args([&target, &target]).status();
    assert!(
        mounted.is_ok_and(|status| status.success()),
        "this test binds a mount; run it as root or in a user namespace: unshare -rm"
    );
    let patch: Vec<String> =
        ["a", "b", "c"].iter().map(|name| format!("*** Update File: {name}.txt\n-old\n+new")).collect();
    let outcome = test.call("patch", v4a(&patch.iter().map(String::as_str).collect::<Vec<_>>())).await;
    let unmounted = std::process::Command::new("umount").arg(&target).status().unwrap();
    assert!(unmounted.success());
    assert!(failure(outcome).message.contains("all files are as they were"));
    for name in ["a.txt", "b.txt", "c.txt"] {
        assert_eq!(test.read(name), "old\n", "{name}");
    }
    assert_eq!(leftovers(test.workspace()), Vec::<String>::new());
}

#[tokio::test]
async fn links_are_followed_on_purpose_and_two_spellings_are_one_file() {
    let test = TestRuntime::new().await;
    test.write("real.txt", "old\n");
    symlink("real.txt", test.path("link.txt")).unwrap();
    let answer = value(test.call("patch", replace("link.txt", "old", "new")).await);
    assert!(answer["note"].as_str().unwrap().contains("symbolic link"), "{answer}");
    assert!(test.path("link.txt").is_symlink());
    assert_eq!(test.read("real.txt"), "new\n");
    let both = ["*** Update File: link.txt", "-new", "+one", "*** Update File: real.txt", "-new", "+two"];
    assert_eq!(code(test.call("patch", v4a(&both)).await), ErrorCode::InvalidArgument);
    assert_eq!(test.read("real.txt"), "new\n");
}

#[tokio::test]
async fn every_path_of_a_patch_is_judged() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "a\n");
    let outside = test.workspace().parent().unwrap().join("outside.txt");
    std::fs::write(&outside, "precious\n").unwrap();
    let outside = outside.display().to_string();
    for operation in [
        format!("*** Delete File: {outside}"),
        format!("*** Move File: {outside} -> b.txt"),
        format!("*** Move File: a.txt -> {outside}.moved"),
        "*** Update File: ../outside.txt\n-precious\n+x".to_owned(),
        format!("*** Add File: {outside}.new\n+x"),
    ] {
        let lines = ["*** Update File: a.txt", "-a", "+changed", &operation];
        assert_eq!(code(test.call("patch", v4a(&lines)).await), ErrorCode::PermissionDenied, "{operation}");
        assert_eq!(test.read("a.txt"), "a\n");
    }
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "precious\n");
}

#[tokio::test]
async fn a_broken_configuration_is_noted() {
    let test = TestRuntime::new().await;
    test.write("a.json", "{\"a\": 1}\n");
    let answer = value(test.call("patch", replace("a.json", "1}", "1")).await);
    assert!(answer["note"].as_str().unwrap().contains("not well-formed"), "{answer}");
}

/// Names of temporary files that are still there.
fn leftovers(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(leftovers(&path));
        } else if name.ends_with(".tmp") {
            found.push(name);
        }
    }
    found
}

#[tokio::test]
async fn a_heading_is_where_the_hunk_is() {
    let test = TestRuntime::new().await;
    let text = "def a():\n    y = 1\n\ndef b():\n    x = 1\n\nX = 3\n";
    test.write("a.py", text);
    let elsewhere = v4a(&["*** Update File: a.py", "@@ def a():", "-    x = 1", "+    x = 2"]);
    let error = failure(test.call("patch", elsewhere).await);
    assert!(error.message.contains("below another heading"), "{error}");
    assert_eq!(test.read("a.py"), text);
    test.write("a.c", "int a()\n{\n  y;\n}\nint b()\n{\n  x;\n}\n");
    assert!(
        test.call("patch", v4a(&["*** Update File: a.c", "@@ int a()", "-  x;", "+  z;"]))
            .await
            .result
            .is_err()
    );
    // What stands after a block is told by it, as diffs do.
    for (heading, old, new) in [("def b():", "X = 3", "X = 4"), ("def b():", "    x = 1", "    x = 5")] {
        let hunk = [format!("@@ {heading}"), format!("-{old}"), format!("+{new}")];
        let lines: Vec<&str> =
            std::iter::once("*** Update File: a.py").chain(hunk.iter().map(String::as_str)).collect();
        value(test.call("patch", v4a(&lines)).await);
    }
    assert_eq!(test.read("a.py"), "def a():\n    y = 1\n\ndef b():\n    x = 5\n\nX = 4\n");
}

#[tokio::test]
async fn blanks_of_a_regular_expression_count() {
    let test = TestRuntime::new().await;
    let text = "re = /a  b/;\nc = a  / b;\n";
    test.write("a.js", text);
    let error = failure(test.call("patch", replace("a.js", "re = /a b/;", "re = /c/;")).await);
    assert_eq!(error.code, ErrorCode::NotFound);
    assert_eq!(test.read("a.js"), text);
    value(test.call("patch", replace("a.js", "c = a / b;", "c = 1;")).await);
    assert_eq!(test.read("a.js"), "re = /a  b/;\nc = 1;\n");
}
