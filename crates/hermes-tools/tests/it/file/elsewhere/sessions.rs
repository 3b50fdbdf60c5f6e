//! A session with a place of its own has its files there, and the others keep theirs here.

use std::collections::BTreeMap;

use hermes_host::terminal::{BackendSettings, TerminalSettings};
use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::{failure, value};
use crate::terminal::backends::ssh::Sshd;

#[tokio::test]
async fn files_are_where_the_sessions_commands_run() {
    let sshd = Sshd::start();
    let there = sshd.folder.path().canonicalize().unwrap().join("work");
    std::fs::create_dir(&there).unwrap();
    let settings = TerminalSettings {
        cwd: Some(there.display().to_string()),
        sessions: BTreeMap::from([("mine".to_owned(), BackendSettings::Local)]),
        ..sshd.settings("known")
    };
    let test = TestRuntime::builder().terminal(settings).build().await;
    let mine = test.session("mine");

    let written = value(test.call("write_file", json!({"path": "note.txt", "content": "there\n"})).await);
    assert_eq!(written["ran"]["backend"], json!("ssh"), "{written}");
    let written = value(mine.call("write_file", json!({"path": "note.txt", "content": "here\n"})).await);
    assert!(written.get("ran").is_none(), "{written}");
    assert_eq!(std::fs::read_to_string(there.join("note.txt")).unwrap(), "there\n");
    assert_eq!(test.read("note.txt"), "here\n");

    for (session, expected) in [(test.main(), "there"), (&mine, "here")] {
        let read = value(session.call("read_file", json!({"path": "note.txt"})).await);
        assert!(read["content"].as_str().unwrap().contains(expected), "{read}");
        let found = value(session.call("search_files", json!({"pattern": expected})).await);
        assert!(found.to_string().contains("note.txt"), "{found}");
    }

    let pack = json!({"action": "compress", "source": "note.txt", "destination": "note.zip"});
    let error = failure(test.call("file_compress", pack.clone()).await);
    assert!(error.message.contains("on this machine only"), "{}", error.message);
    value(mine.call("file_compress", pack).await);
    assert!(test.path("note.zip").exists());
}
