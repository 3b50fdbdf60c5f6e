//! `file_diff`, with the programs it must agree with.

use std::process::Command;

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::{code, failure, value};

#[tokio::test]
async fn a_unified_diff_applies() {
    let test = TestRuntime::new().await;
    for (left, right) in [
        ("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nB\nc\nd\ne\nf\ng\nh\ni\n"),
        ("", "new\n"),
        ("gone\n", ""),
        ("no newline", "no newline\n"),
        ("x\ny", "x\nz"),
        ("crlf\r\nb\r\n", "crlf\r\nc\r\n"),
    ] {
        test.write("left.txt", left);
        test.write("right.txt", right);
        let answer = value(test.call("file_diff", json!({"left": "left.txt", "right": "right.txt"})).await);
        test.write("d.patch", answer["diff"].as_str().unwrap());
        let patched = Command::new("patch")
            .args(["-p0", "--binary", "-s", "-i", "d.patch", "left.txt"])
            .current_dir(test.workspace())
            .output()
            .expect("the program 'patch'; get it with: cargo xtask setup");
        assert!(patched.status.success(), "{answer} {patched:?}");
        let after = std::fs::read_to_string(test.path("left.txt")).unwrap_or_default();
        assert_eq!(after, right, "{answer}");
    }
}

#[tokio::test]
async fn folders_agree_with_diff() {
    let test = TestRuntime::new().await;
    test.write("l/same.txt", "x\n");
    test.write("r/same.txt", "x\n");
    test.write("l/deep/changed.txt", "1\n2\n");
    test.write("r/deep/changed.txt", "1\n3\n");
    test.write("l/only.txt", "x\n");
    test.write("r/new.bin", b"\0\x01");
    let answer = value(test.call("file_diff", json!({"left": "l", "right": "r", "recursive": true})).await);
    assert_eq!(
        answer["changed_files"],
        json!([
            {"path": "deep/changed.txt", "change": "changed"},
            {"path": "new.bin", "change": "only_right"},
            {"path": "only.txt", "change": "only_left"},
        ])
    );
    assert_eq!((&answer["identical"], &answer["binary"]), (&json!(false), &json!(true)));
    let same = value(test.call("file_diff", json!({"left": "l", "right": "l", "recursive": true})).await);
    assert_eq!(same["identical"], true);
}

/// What was not looked at is never called the same.
#[tokio::test]
async fn only_what_was_compared_is_identical() {
    let test = TestRuntime::new().await;
    let of =
        async || value(test.call("file_diff", json!({"left": "l", "right": "r", "recursive": true})).await);
    test.write("l/a.txt", "x\n");
    test.write("r/a.txt", "x\n");
    assert_eq!(of().await["identical"], true);
    std::fs::create_dir(test.path("l/empty")).unwrap();
    let answer = of().await;
    assert_eq!(answer["changed_files"], json!([{"path": "empty", "change": "only_left"}]), "{answer}");
    std::fs::create_dir(test.path("r/empty")).unwrap();
    assert_eq!(of().await["identical"], true);
    std::os::unix::fs::symlink("a.txt", test.path("l/link")).unwrap();
    std::os::unix::fs::symlink("b.txt", test.path("r/link")).unwrap();
    let answer = of().await;
    assert_eq!(answer["not_compared"], json!(["link: a symbolic link"]), "{answer}");
    assert_eq!(answer["identical"], false);
}

#[tokio::test]
async fn formats_and_limits() {
    let test = TestRuntime::new().await;
    test.write("a", "one\ntwo\nthree\n");
    test.write("b", "one\n2\nthree\n");
    let of = async |format: &str| {
        value(test.call("file_diff", json!({"left": "a", "right": "b", "format": format})).await)
    };
    assert_eq!(
        of("json").await["hunks"],
        json!([{"left_line": 2, "left": ["two\n"], "right_line": 2, "right": ["2\n"]}])
    );
    let stat = of("stat").await;
    assert_eq!((&stat["added"], &stat["removed"], stat.get("diff")), (&json!(1), &json!(1), None));
    assert!(of("side").await["diff"].as_str().unwrap().lines().nth(1).unwrap().contains("| 2"));
    let small = json!({"left": "a", "right": "b", "max_bytes": 3});
    assert_eq!(code(test.call("file_diff", small).await), ErrorCode::TooLarge);
    let folder = json!({"left": ".", "right": "b"});
    assert_eq!(code(test.call("file_diff", folder).await), ErrorCode::InvalidArgument);
}

/// The same characters are other bytes.
#[tokio::test]
async fn files_in_other_encodings_are_not_identical() {
    let test = TestRuntime::new().await;
    let utf16: Vec<u8> = "\u{feff}\u{e9}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let forms: [(&str, &[u8]); 4] = [
        ("utf-8", b"\xc3\xa9\n"),
        ("utf-8-bom", b"\xef\xbb\xbf\xc3\xa9\n"),
        ("latin-1", b"\xe9\n"),
        ("utf-16le", &utf16),
    ];
    for (one, left) in forms {
        for (other, right) in forms {
            for folder in ["l", "r"] {
                std::fs::create_dir_all(test.path(folder)).unwrap();
            }
            std::fs::write(test.path("l/a"), left).unwrap();
            std::fs::write(test.path("r/a"), right).unwrap();
            let files = value(test.call("file_diff", json!({"left": "l/a", "right": "r/a"})).await);
            let folders = json!({"left": "l", "right": "r", "recursive": true});
            let folders = value(test.call("file_diff", folders).await);
            for answer in [files, folders] {
                assert_eq!(answer["identical"], json!(one == other), "{answer}");
                let told = answer["encodings"].to_string();
                assert_eq!(
                    told.contains(&format!("{one} on the left, {other} on")),
                    one != other,
                    "{answer}"
                );
            }
        }
    }
    let text = json!({"left": "l/a", "right_text": "\u{e9}\n"});
    assert_eq!(value(test.call("file_diff", text).await)["identical"], json!(true));
}

#[tokio::test]
async fn one_large_file_does_not_spoil_the_rest_and_wrong_sides_are_explained() {
    let test = TestRuntime::new().await;
    for folder in ["l", "r"] {
        test.write(&format!("{folder}/large"), "x".repeat(100));
        test.write(&format!("{folder}/small"), folder);
        test.write(&format!("{folder}/bytes"), [0, folder.as_bytes()[0]]);
    }
    let folders = json!({"left": "l", "right": "r", "recursive": true, "max_bytes": 50, "format": "stat"});
    let answer = value(test.call("file_diff", folders).await);
    assert_eq!(answer["not_compared"], json!(["large: it has more than max_bytes"]), "{answer}");
    let changed = json!([{"path": "bytes", "change": "changed"}, {"path": "small", "change": "changed"}]);
    assert_eq!((&answer["changed_files"], &answer["identical"]), (&changed, &json!(false)));
    let bytes = value(test.call("file_diff", json!({"left": "l/bytes", "right": "r/small"})).await);
    assert_eq!(bytes["diff"], "Binary files differ: l/bytes and r/small\n");
    for (left, right, helps) in [
        ("l", "r", "recursive"),
        ("l", "r/small", "a file in it"),
        ("l/small", "r", "a file in it"),
        ("l/smal", "r/small", "similar_names"),
        ("l", "r/smal", "similar_names"),
    ] {
        let error = failure(test.call("file_diff", json!({"left": left, "right": right})).await);
        assert!(error.hint.as_deref().is_some_and(|hint| hint.contains(helps)), "{left} {right}: {error:?}");
        let below = json!({"left": left, "right": right, "recursive": true});
        if helps == "recursive" {
            value(test.call("file_diff", below).await);
            continue;
        }
        let error = failure(test.call("file_diff", below).await);
        assert!(error.hint.as_deref().is_some_and(|hint| hint.contains(helps)), "{left} {right}: {error:?}");
    }
    let missing = json!({"left": "l", "right": "rr", "recursive": true});
    let error = failure(test.call("file_diff", missing).await);
    assert_eq!((error.code, error.message.contains("'rr'")), (ErrorCode::NotFound, true), "{error}");
    assert!(error.hint.is_some());
    let two_files = json!({"left": "l/small", "right": "r/small", "recursive": true, "format": "stat"});
    assert_eq!(value(test.call("file_diff", two_files).await)["identical"], json!(false));
}
