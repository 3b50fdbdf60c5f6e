//! `file_watch` on files that really change.

use hermes_core::ErrorCode;
use hermes_testkit::{TestRuntime, TestSession};
use serde_json::{Value, json};

use crate::support::{code, value};

async fn start(session: &TestSession, arguments: Value) -> String {
    let mut arguments = arguments;
    arguments["action"] = "start".into();
    arguments["debounce_ms"] = 30.into();
    value(session.call("file_watch", arguments).await)["id"].as_str().unwrap().to_owned()
}

/// Waits until `count` changes were told, however many answers they come in.
async fn changes(session: &TestSession, id: &str, count: usize) -> Vec<(String, String)> {
    let mut seen = Vec::new();
    while seen.len() < count {
        let answer =
            value(session.call("file_watch", json!({"action": "wait", "id": id, "max_events": 500})).await);
        assert_eq!(answer["dropped"], 0, "{answer}");
        for event in answer["events"].as_array().unwrap() {
            let text = |key: &str| event[key].as_str().unwrap().to_owned();
            seen.push((text("kind"), text("path")));
        }
    }
    seen.sort();
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn saves_deletes_and_renames_are_told_once() {
    let test = TestRuntime::new().await;
    let session = test.main();
    test.write("src/old.txt", "x");
    test.write("src/gone.txt", "x");
    let id = start(session, json!({"paths": ["src"]})).await;
    for _ in 0..20 {
        test.write("src/new.txt", "again and again");
    }
    std::fs::remove_file(test.path("src/gone.txt")).unwrap();
    std::fs::rename(test.path("src/old.txt"), test.path("src/moved.txt")).unwrap();
    let seen = changes(session, &id, 3).await;
    let expected = [("create", "src/new.txt"), ("delete", "src/gone.txt"), ("rename", "src/old.txt")];
    assert_eq!(seen, expected.map(|(kind, path)| (kind.to_owned(), path.to_owned())));
    let stopped = value(session.call("file_watch", json!({"action": "stop", "id": id})).await);
    assert_eq!((&stopped["events"], &stopped["active"]), (&json!([]), &json!(false)));
    assert_eq!(
        code(session.call("file_watch", json!({"action": "poll", "id": id})).await),
        ErrorCode::NotFound
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_that_saves_by_rename_is_one_change_and_patterns_count() {
    let test = TestRuntime::new().await;
    let session = test.main();
    test.write("a.rs", "old");
    test.write("b.txt", "old");
    let id = start(session, json!({"paths": ["."], "patterns": ["*.rs"]})).await;
    test.write("b.txt", "not asked for");
    value(session.call("write_file", json!({"path": "a.rs", "content": "new"})).await);
    let seen = changes(session, &id, 1).await;
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].1, "a.rs");
}

#[tokio::test(flavor = "multi_thread")]
async fn none_of_five_thousand_is_missed() {
    let test = TestRuntime::new().await;
    let session = test.main();
    let id = start(session, json!({"paths": ["."]})).await;
    for index in 0..5_000 {
        std::fs::write(test.path(&format!("f{index:04}")), "x").unwrap();
    }
    let seen = changes(session, &id, 5_000).await;
    assert_eq!(seen.len(), 5_000);
    assert!(seen.iter().all(|(kind, _)| kind == "create"));
}

#[tokio::test(flavor = "multi_thread")]
async fn watches_belong_to_their_session_and_to_policy() {
    let test = TestRuntime::builder().deny("file:read").build().await;
    let refused = test.call("file_watch", json!({"action": "start", "paths": ["."]})).await;
    assert_eq!(code(refused), ErrorCode::PermissionDenied);
    let test = TestRuntime::new().await;
    let id = start(test.main(), json!({"paths": ["."]})).await;
    let other = test.session("other");
    assert_eq!(
        code(other.call("file_watch", json!({"action": "poll", "id": id})).await),
        ErrorCode::NotFound
    );
    let list = value(other.call("file_watch", json!({"action": "list"})).await);
    assert_eq!(list["watches"], json!([]));
    let missing = test.call("file_watch", json!({"action": "start", "paths": ["none"]})).await;
    assert_eq!(code(missing), ErrorCode::NotFound);
}
