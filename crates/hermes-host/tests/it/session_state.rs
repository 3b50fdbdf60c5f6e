//! State of sessions: what is saved is found again, by its session only.

use std::os::unix::fs::PermissionsExt;

use hermes_core::ports::SessionState;
use hermes_host::home::Home;
use hermes_host::state::{MemorySessionState, SqliteSessionState, StateOptions};
use serde_json::json;

async fn keeps_sessions_apart(state: &dyn SessionState) {
    assert_eq!(state.load("s1", "todo").await.unwrap(), None);
    state.save("s1", "todo", json!({"items": ["é", 1.5, null]})).await.unwrap();
    state.save("s2", "todo", json!([])).await.unwrap();
    state.save("s1", "todo", json!({"items": ["ü"]})).await.unwrap();
    assert_eq!(state.load("s1", "todo").await.unwrap(), Some(json!({"items": ["ü"]})));
    assert_eq!(state.load("s2", "todo").await.unwrap(), Some(json!([])));
    assert_eq!(state.load("s1", "other").await.unwrap(), None);
}

#[tokio::test]
async fn both_stores_keep_sessions_apart() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    keeps_sessions_apart(&MemorySessionState::default()).await;
    keeps_sessions_apart(&SqliteSessionState::open(&home, &StateOptions::default()).unwrap()).await;

    let again = SqliteSessionState::open(&home, &StateOptions::default()).unwrap();
    assert_eq!(again.load("s2", "todo").await.unwrap(), Some(json!([])), "it outlives the process");
}

#[tokio::test]
async fn the_files_are_for_their_owner_only() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("state.db"), "").unwrap();
    let loose = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(folder.path().join("state.db"), loose).unwrap();
    let state = SqliteSessionState::open(&Home::at(folder.path()), &StateOptions::default()).unwrap();
    state.save("s", "slot", json!(1)).await.unwrap();
    for name in ["state.db", "state.db-wal", "state.db-shm"] {
        let mode = folder.path().join(name).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[test]
fn it_works_without_a_runtime_too() {
    let folder = tempfile::tempdir().unwrap();
    let state = SqliteSessionState::open(&Home::at(folder.path()), &StateOptions::default()).unwrap();
    let future = state.save("s", "slot", json!(1));
    futures_util::FutureExt::now_or_never(future).unwrap().unwrap();
}

#[test]
fn a_database_of_a_newer_hermes_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path());
    drop(SqliteSessionState::open(&home, &StateOptions::default()).unwrap());
    let raw = rusqlite::Connection::open(home.state_db()).unwrap();
    raw.pragma_update(None, "user_version", 99).unwrap();
    let error = SqliteSessionState::open(&home, &StateOptions::default()).err().unwrap();
    assert!(error.operator.unwrap().contains("version 99"));
}
