//! What somebody else changed after a session read a file is not overwritten by that session.

use hermes_core::{ErrorCode, ToolError};
use hermes_testkit::{TestRuntime, TestSession};
use serde_json::{Value, json};

use crate::support::{code, failure, value};

async fn read(session: &TestSession, arguments: Value) -> Value {
    value(session.call("read_file", arguments).await)
}

fn overwrite(content: &str) -> Value {
    json!({"path": "a.txt", "content": content})
}

/// Refused with everything that is needed to go on.
#[track_caller]
fn assert_stale(error: &ToolError, current: &str) {
    assert_eq!(error.code, ErrorCode::Conflict, "{error:?}");
    assert_eq!(error.data["current"], json!({"content": current}));
    assert_eq!(error.data["current_sha256"].as_str().unwrap().len(), 64);
}

#[tokio::test]
async fn what_changed_since_it_was_read_is_shown_instead_of_overwritten() {
    let test = TestRuntime::new().await;
    let session = test.main();
    test.write("a.txt", "one\ntwo\nthree\n");
    for look in [json!({"path": "a.txt"}), json!({"path": "a.txt", "offset": 2, "limit": 1})] {
        read(session, look).await;
        test.write("a.txt", "theirs\n");
        let refused = failure(session.call("write_file", overwrite("mine\n")).await);
        assert_stale(&refused, "theirs\n");
        // What was refused once is refused again: nobody has agreed to anything yet.
        assert_stale(&failure(session.call("write_file", overwrite("mine\n")).await), "theirs\n");
        assert_eq!(test.read("a.txt"), "theirs\n");
        let mut knowing = overwrite("both\n");
        knowing["expected_hash"] = refused.data["current_sha256"].clone();
        let written = value(session.call("write_file", knowing).await);
        assert_eq!(written.get("note"), None, "{written}");
        assert_eq!(test.read("a.txt"), "both\n");
        test.write("a.txt", "one\ntwo\nthree\n");
        read(session, json!({"path": "a.txt"})).await;
    }
    test.write("a.txt", "theirs\n");
    read(session, json!({"path": "a.txt"})).await;
    value(session.call("write_file", overwrite("read again\n")).await);
    assert_eq!(test.read("a.txt"), "read again\n");
}

/// What cannot be shown is still named, so that the next call can speak of it.
#[tokio::test]
async fn what_is_too_large_or_no_text_is_refused_by_its_hash() {
    let test = TestRuntime::new().await;
    let session = test.main();
    let large = "0123456789\n".repeat(1_200_000);
    for (old, new) in [
        (large.clone().into_bytes(), [large.as_bytes(), b"more"].concat()),
        (vec![b'x'; 50_000], vec![b'y'; 50_000]),
        (b"\0\x01".to_vec(), b"\0\x02".to_vec()),
    ] {
        test.write("a.txt", &old);
        read(session, json!({"path": "a.txt", "limit": 1, "encoding": "base64"})).await;
        value(session.call("write_file", overwrite("not changed meanwhile\n")).await);
        test.write("a.txt", &old);
        read(session, json!({"path": "a.txt", "limit": 1, "encoding": "base64"})).await;
        test.write("a.txt", &new);
        let refused = failure(session.call("write_file", overwrite("mine\n")).await);
        assert_eq!((refused.code, refused.data.get("current")), (ErrorCode::Conflict, None));
        let mut knowing = overwrite("mine\n");
        knowing["expected_hash"] = refused.data["current_sha256"].clone();
        value(session.call("write_file", knowing).await);
    }
}

#[tokio::test]
async fn nobody_is_in_the_way_of_himself() {
    let test = TestRuntime::new().await;
    let session = test.main();
    test.write("a.txt", "never read\n");
    value(session.call("write_file", overwrite("one\n")).await);
    value(session.call("write_file", overwrite("two\n")).await);
    let patch = json!({"path": "a.txt", "old_string": "two", "new_string": "three"});
    value(session.call("patch", patch).await);
    let append = json!({"path": "a.txt", "content": "four\n", "mode": "append"});
    value(session.call("write_file", append).await);
    value(session.call("write_file", overwrite("five\n")).await);
    let moved = "*** Begin Patch\n*** Move File: a.txt -> b.txt\n*** End Patch";
    value(session.call("patch", json!({"patch": moved})).await);
    value(session.call("write_file", json!({"path": "b.txt", "content": "six\n"})).await);
    // Only touched, or written by somebody else with the same content.
    test.write("b.txt", "six\n");
    let written = value(session.call("write_file", json!({"path": "b.txt", "content": "seven\n"})).await);
    assert_eq!(written.get("note"), None, "{written}");
    // Somebody else was here, but left what this session is about to write.
    test.write("b.txt", "eight\n");
    value(session.call("write_file", json!({"path": "b.txt", "content": "eight\n"})).await);
    std::fs::remove_file(test.path("b.txt")).unwrap();
    let written = value(session.call("write_file", json!({"path": "b.txt", "content": "nine\n"})).await);
    assert_eq!(written["created"], true);
    assert!(written["note"].as_str().unwrap().contains("removed since you read it"), "{written}");
}

#[tokio::test]
async fn another_session_is_somebody_else() {
    let test = TestRuntime::new().await;
    let (one, other) = (test.session("one"), test.session("other"));
    test.write("a.txt", "old\n");
    for session in [&one, &other] {
        read(session, json!({"path": "a.txt"})).await;
    }
    value(one.call("write_file", overwrite("by one\n")).await);
    assert_stale(&failure(other.call("write_file", overwrite("by the other\n")).await), "by one\n");
    value(one.call("write_file", overwrite("by one again\n")).await);
    let unread = test.session("unread");
    value(unread.call("write_file", overwrite("made from nothing that was read\n")).await);
}

#[tokio::test]
async fn what_takes_nothing_away_goes_through_and_says_so() {
    let test = TestRuntime::new().await;
    let session = test.main();
    test.write("a.txt", "one\ntwo\n");
    read(session, json!({"path": "a.txt"})).await;
    test.write("a.txt", "zero\none\ntwo\n");
    let patch = json!({"path": "a.txt", "old_string": "two\n", "new_string": "2\n"});
    let told =
        |answer: &Value| answer["note"].as_str().is_some_and(|note| note.contains("since you read it"));
    assert!(told(&value(session.call("patch", patch).await)));
    let append = json!({"path": "a.txt", "content": "three\n", "mode": "append"});
    assert!(told(&value(session.call("write_file", append).await)));
    let update = "*** Begin Patch\n*** Update File: a.txt\n one\n-2\n+two\n*** End Patch";
    assert!(told(&value(session.call("patch", json!({"patch": update})).await)));
    assert_eq!(test.read("a.txt"), "zero\none\ntwo\nthree\n");
    // Its own changes do not make it know what it has not seen.
    let current = "zero\none\ntwo\nthree\n";
    assert_stale(&failure(session.call("write_file", overwrite("all mine\n")).await), current);
}

#[tokio::test]
async fn a_patch_of_a_file_that_changed_is_taken_literally_or_refused() {
    let test = TestRuntime::new().await;
    let session = test.main();
    let v4a = |text: &str| json!({"patch": format!("*** Begin Patch\n{text}\n*** End Patch")});
    let replace = |old: &str, all: bool| json!({"path": "a.txt", "old_string": old, "new_string": "new", "replace_all": all});
    let changed = "if x:\n\tone\n\tfour\n";
    for patch in [
        replace("two", false),
        replace("one", true),
        replace("    one\n    four", false),
        v4a("*** Update File: a.txt\n-two\n+2"),
        v4a("*** Update File: a.txt\n     one\n-    four\n+    4"),
        v4a("*** Delete File: a.txt"),
    ] {
        test.write("a.txt", "if x:\n\tone\n\ttwo\n");
        read(session, json!({"path": "a.txt"})).await;
        test.write("a.txt", changed);
        assert_stale(&failure(session.call("patch", patch.clone()).await), changed);
        assert_eq!(test.read("a.txt"), changed, "{patch}");
    }
    value(session.call("patch", v4a("*** Move File: a.txt -> b.txt")).await);
    assert_stale(&failure(session.call("patch", v4a("*** Delete File: b.txt")).await), changed);
    read(session, json!({"path": "b.txt"})).await;
    value(session.call("patch", v4a("*** Delete File: b.txt")).await);
    assert!(!test.path("b.txt").exists());
}

#[tokio::test]
async fn who_may_not_read_is_not_shown_what_is_there() {
    let test = TestRuntime::builder().deny("file:read").build().await;
    test.write("a.txt", "not for everybody\n");
    let mut arguments = overwrite("mine\n");
    arguments["expected_hash"] = "0".repeat(64).into();
    let refused = test.call("write_file", arguments).await;
    let error = failure(refused);
    assert_eq!(error.code, ErrorCode::Conflict);
    assert!(!format!("{error:?}").contains("not for everybody"), "{error:?}");
    assert_eq!(code(test.call("read_file", json!({"path": "a.txt"})).await), ErrorCode::PermissionDenied);
}

/// Of a long file the lines are shown that the change is about.
#[tokio::test]
async fn of_a_long_file_the_part_that_matters_is_shown() {
    let test = TestRuntime::new().await;
    let session = test.main();
    let long = |changed: usize, by: &str| -> String {
        let line =
            |line: usize| if line == changed { format!("{by}\n") } else { format!("line {line} of many\n") };
        (1..=3_000).map(line).collect()
    };
    test.write("a.txt", long(0, ""));
    read(session, json!({"path": "a.txt", "limit": 1})).await;
    test.write("a.txt", long(1_500, "theirs"));
    let refused = failure(session.call("write_file", overwrite(&long(1_503, "mine"))).await);
    let current = &refused.data["current"];
    assert_eq!((&current["from_line"], &current["to_line"]), (&json!(1_495), &json!(1_508)), "{current}");
    assert!(current["content"].as_str().unwrap().contains("\ntheirs\n"), "{current}");
    for old in ["line  1499 of many", "line 1499 of some"] {
        let patch = json!({"path": "a.txt", "old_string": old, "new_string": "mine"});
        let refused = failure(session.call("patch", patch).await);
        assert_eq!(refused.code, ErrorCode::Conflict);
        let current = &refused.data["current"];
        assert!(current["content"].as_str().is_some_and(|text| text.contains("\ntheirs\n")), "{refused:?}");
    }
    let patch =
        json!({"path": "a.txt", "old_string": "theirs", "new_string": "x", "expected_hash": "0".repeat(64)});
    let refused = failure(session.call("patch", patch).await);
    assert_eq!(refused.data["current"]["from_line"], json!(1_495));
}
