//! `file_watch` on files that really change.

use hermes_core::ErrorCode;
use hermes_testkit::{TestRuntime, TestSession};
use serde_json::{Value, json};

use crate::support::{code, value};

async fn start(session: &TestSession, arguments: Value) -> String {
    let mut arguments = arguments;
    arguments["action"] = "start".into();
    if arguments.get("debounce_ms").is_none() {
        arguments["debounce_ms"] = 30.into();
    }
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
    // What comes in one breath is told as one change; on a busy machine a breath may be long.
    let id = start(session, json!({"paths": ["src"], "debounce_ms": 2_000})).await;
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

fn pair(kind: &str, path: &str) -> (String, String) {
    (kind.to_owned(), path.to_owned())
}

/// As editors save: written beside it, then renamed to its name.
fn save_by_rename(test: &TestRuntime, path: &str, content: &str) {
    test.write("beside.tmp", content);
    std::fs::rename(test.path("beside.tmp"), test.path(path)).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_watched_by_its_name() {
    let test = TestRuntime::new().await;
    let session = test.main();
    test.write("d/a.txt", "old");
    test.write("d/other.txt", "old");
    let id = start(session, json!({"paths": ["d/a.txt"]})).await;
    for round in 0..3 {
        test.write("d/other.txt", "nobody asked");
        save_by_rename(&test, "d/a.txt", &format!("saved {round}"));
        assert_eq!(changes(session, &id, 1).await, [pair("modify", "d/a.txt")], "by rename, {round}");
        test.write("d/a.txt", "in place");
        assert_eq!(changes(session, &id, 1).await, [pair("modify", "d/a.txt")], "in place, {round}");
        let write = json!({"path": "d/a.txt", "content": format!("by ourselves {round}"), "expected_hash":
            value(session.call("read_file", json!({"path": "d/a.txt"})).await)["sha256"]});
        value(session.call("write_file", write).await);
        assert_eq!(changes(session, &id, 1).await, [pair("modify", "d/a.txt")], "by ourselves, {round}");
        std::fs::remove_file(test.path("d/a.txt")).unwrap();
        assert_eq!(changes(session, &id, 1).await, [pair("delete", "d/a.txt")], "removed, {round}");
        test.write("d/a.txt", "again");
        assert_eq!(changes(session, &id, 1).await, [pair("create", "d/a.txt")], "made again, {round}");
        // Gone with its folder, and back with it.
        std::fs::remove_dir_all(test.path("d")).unwrap();
        assert_eq!(changes(session, &id, 1).await, [pair("delete", "d/a.txt")], "with its folder, {round}");
        test.write("d/a.txt", "old");
        assert_eq!(changes(session, &id, 1).await, [pair("create", "d/a.txt")], "back again, {round}");
    }
    std::fs::rename(test.path("d/a.txt"), test.path("d/b.txt")).unwrap();
    assert_eq!(changes(session, &id, 1).await, [pair("rename", "d/a.txt")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_is_watched_by_its_name() {
    let test = TestRuntime::new().await;
    let session = test.main();
    let outside = test.workspace().parent().unwrap().join("outside");
    std::fs::create_dir(&outside).unwrap();
    test.write("d/a.txt", "old");
    let id = start(session, json!({"paths": ["d"]})).await;
    for round in 0..3 {
        std::fs::remove_dir_all(test.path("d")).unwrap();
        assert_eq!(changes(session, &id, 2).await, [pair("delete", "d"), pair("delete", "d/a.txt")]);
        test.write("d/a.txt", "new");
        assert_eq!(changes(session, &id, 2).await, [pair("create", "d"), pair("create", "d/a.txt")]);
        test.write("d/a.txt", "changed");
        assert_eq!(changes(session, &id, 1).await, [pair("modify", "d/a.txt")], "{round}");
        // Another folder takes its place.
        std::fs::rename(test.path("d"), test.path("away")).unwrap();
        assert_eq!(changes(session, &id, 1).await, [pair("delete", "d")], "{round}");
        std::fs::rename(test.path("away"), test.path("d")).unwrap();
        assert_eq!(changes(session, &id, 2).await, [pair("create", "d"), pair("create", "d/a.txt")]);
        test.write("d/deep/er/b.txt", "new");
        let seen = changes(session, &id, 3).await;
        assert_eq!(seen, ["d/deep", "d/deep/er", "d/deep/er/b.txt"].map(|path| pair("create", path)));
        std::fs::remove_dir_all(test.path("d/deep")).unwrap();
        changes(session, &id, 3).await;
    }
    // A link in its place leads where nobody was allowed to look.
    std::fs::remove_dir_all(test.path("d")).unwrap();
    changes(session, &id, 2).await;
    std::os::unix::fs::symlink(&outside, test.path("d")).unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    std::fs::write(outside.join("secret"), "x").unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let told = value(session.call("file_watch", json!({"action": "poll", "id": id})).await);
    assert_eq!(told["events"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_in_a_new_folder_is_told_however_fast_it_came() {
    let test = TestRuntime::new().await;
    let session = test.main();
    let id = start(session, json!({"paths": ["."]})).await;
    let mut expected = Vec::new();
    for number in 0..200 {
        let (folder, file) = (format!("d{number:03}"), format!("d{number:03}/e/f.txt"));
        test.write(&file, "x");
        expected.extend([
            pair("create", &folder),
            pair("create", &format!("{folder}/e")),
            pair("create", &file),
        ]);
    }
    expected.sort();
    assert_eq!(changes(session, &id, expected.len()).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_save_by_rename_in_a_folder_is_a_change_of_what_stood_there() {
    let test = TestRuntime::new().await;
    let session = test.main();
    for name in ["d/a.txt", "d/b.txt", "d/deep/c.txt"] {
        test.write(name, "old");
    }
    let id = start(session, json!({"paths": ["."]})).await;
    for round in 0..2 {
        save_by_rename(&test, "d/a.txt", "saved");
        assert_eq!(changes(session, &id, 1).await, [pair("modify", "d/a.txt")], "{round}");
        save_by_rename(&test, "d/deep/c.txt", "saved");
        assert_eq!(changes(session, &id, 1).await, [pair("modify", "d/deep/c.txt")], "{round}");
        // From where nobody watches.
        let outside = tempfile::NamedTempFile::new_in(test.workspace().parent().unwrap()).unwrap();
        std::fs::rename(outside.path(), test.path("d/a.txt")).unwrap();
        assert_eq!(changes(session, &id, 1).await, [pair("modify", "d/a.txt")], "from elsewhere, {round}");
        save_by_rename(&test, "d/new.txt", "made");
        assert_eq!(changes(session, &id, 1).await, [pair("create", "d/new.txt")], "{round}");
        std::fs::remove_file(test.path("d/new.txt")).unwrap();
        assert_eq!(changes(session, &id, 1).await, [pair("delete", "d/new.txt")], "{round}");
        // One that was told of goes to the place of another.
        std::fs::rename(test.path("d/b.txt"), test.path("d/a.txt")).unwrap();
        assert_eq!(changes(session, &id, 1).await, [pair("rename", "d/b.txt")], "{round}");
        save_by_rename(&test, "d/b.txt", "made again");
        assert_eq!(changes(session, &id, 1).await, [pair("create", "d/b.txt")], "{round}");
        // What goes with its folder comes with it as new.
        std::fs::remove_dir_all(test.path("d/deep")).unwrap();
        assert_eq!(changes(session, &id, 2).await.len(), 2);
        std::fs::create_dir(test.path("d/deep")).unwrap();
        assert_eq!(changes(session, &id, 1).await, [pair("create", "d/deep")]);
        save_by_rename(&test, "d/deep/c.txt", "made again");
        assert_eq!(changes(session, &id, 1).await, [pair("create", "d/deep/c.txt")], "{round}");
    }
}
