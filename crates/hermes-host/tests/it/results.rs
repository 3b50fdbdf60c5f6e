//! Large results: by content, for their session, within bounds.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use hermes_core::ErrorCode;
use hermes_core::ports::ResultStore;
use hermes_host::home::Home;
use hermes_host::state::{FileResultStore, MemoryResultStore, ResultLimits, StateOptions};
use proptest::prelude::*;
use serde_json::{Value, json};

struct Store {
    store: FileResultStore,
    home: Home,
    _folder: tempfile::TempDir,
}

fn store(limits: ResultLimits) -> Store {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path().join("home"));
    let store = FileResultStore::open(&home, &StateOptions::default(), limits).unwrap();
    Store { store, home, _folder: folder }
}

fn reopen(home: &Home) -> FileResultStore {
    FileResultStore::open(home, &StateOptions::default(), ResultLimits::default()).unwrap()
}

fn files(home: &Home) -> Vec<PathBuf> {
    let sessions = fs::read_dir(home.results_dir()).into_iter().flatten().map(|entry| entry.unwrap().path());
    sessions.flat_map(|session| fs::read_dir(session).unwrap().map(|entry| entry.unwrap().path())).collect()
}

async fn keeps_sessions_apart(store: &dyn ResultStore) {
    let value = json!({"rows": [1, 2, 3], "text": "a\u{0}b"});
    let id = store.put("s1", &value).await.unwrap();
    assert_eq!(id.len(), 26);
    assert_eq!(store.put("s1", &value).await.unwrap(), id, "same content, same name");
    assert_eq!(*store.get("s1", &id).await.unwrap().unwrap(), value);
    assert!(store.get("s2", &id).await.unwrap().is_none(), "another session sees nothing");
    for wrong in ["", "..", "../../etc/passwd", &id.to_uppercase(), &format!("{id}x"), &id[1..]] {
        assert!(store.get("s1", wrong).await.unwrap().is_none(), "{wrong}");
    }
}

#[tokio::test]
async fn both_stores_keep_sessions_apart() {
    keeps_sessions_apart(&store(ResultLimits::default()).store).await;
    keeps_sessions_apart(&MemoryResultStore::default()).await;
}

#[tokio::test]
async fn files_are_private_and_outlive_the_process() {
    let Store { store, home, _folder } = store(ResultLimits::default());
    let id = store.put("../../evil session", &json!("x")).await.unwrap();
    let [file] = &files(&home)[..] else { panic!("one file") };
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(file.parent().unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(*reopen(&home).get("../../evil session", &id).await.unwrap().unwrap(), json!("x"));
}

#[tokio::test]
async fn a_damaged_file_is_an_error_and_heals_when_stored_again() {
    let Store { store, home, _folder } = store(ResultLimits::default());
    let id = store.put("s", &json!("hello")).await.unwrap();
    fs::write(&files(&home)[0], "\"jello\"").unwrap();
    let error = store.get("s", &id).await.unwrap_err();
    assert_eq!((error.code, error.retryable), (ErrorCode::Internal, false));
    store.put("s", &json!("hello")).await.unwrap();
    assert_eq!(*store.get("s", &id).await.unwrap().unwrap(), json!("hello"));
}

#[tokio::test]
async fn a_link_in_place_of_a_result_is_not_followed() {
    let Store { store, home, _folder } = store(ResultLimits::default());
    let id = store.put("s", &json!("hello")).await.unwrap();
    let file = files(&home)[0].clone();
    fs::rename(&file, home.root().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(home.root().join("elsewhere"), &file).unwrap();
    assert!(store.get("s", &id).await.is_err());
}

#[tokio::test]
async fn what_could_not_be_read_back_is_not_stored() {
    let limits = ResultLimits { max_value_bytes: 100, ..ResultLimits::default() };
    let store = store(limits).store;
    let large = store.put("s", &json!("x".repeat(100))).await.unwrap_err();
    assert_eq!(large.code, ErrorCode::TooLarge);
    let deep = (0..200).fold(json!(1), |value, _| json!([value]));
    assert_eq!(store.put("s", &deep).await.unwrap_err().code, ErrorCode::TooLarge);
}

#[tokio::test]
async fn the_deepest_storable_value_comes_back() {
    let Store { store, home, _folder } = store(ResultLimits::default());
    let deep = (0..126).fold(json!(1), |value, _| json!([value]));
    let id = store.put("s", &deep).await.unwrap();
    assert_eq!(*reopen(&home).get("s", &id).await.unwrap().unwrap(), deep);
}

#[tokio::test]
async fn the_oldest_go_when_it_gets_too_much() {
    let limits = ResultLimits { max_bytes: 10_000, recent_bytes: 0, ..ResultLimits::default() };
    let Store { store, home, _folder } = store(limits);
    let mut ids = Vec::new();
    for number in 0..30 {
        let value = json!(format!("{number:02}{}", "x".repeat(996)));
        ids.push(store.put(&format!("session {}", number % 3), &value).await.unwrap());
        let total: u64 = files(&home).iter().map(|file| file.metadata().unwrap().len()).sum();
        assert!(total <= 10_000, "{total} bytes after {number}");
    }
    assert!(store.get("session 0", &ids[0]).await.unwrap().is_none());
    assert!(store.get("session 2", &ids[29]).await.unwrap().is_some());
}

#[tokio::test]
async fn what_is_too_old_goes_and_unfinished_files_go_with_it() {
    let Store { store, home, _folder } = store(ResultLimits::default());
    let id = store.put("s", &json!("old")).await.unwrap();
    let folder = files(&home)[0].parent().unwrap().to_owned();
    let unfinished = folder.join(".tmp-0123");
    fs::write(&unfinished, "half").unwrap();
    let day = Duration::from_secs(24 * 60 * 60);
    for file in [&folder.join(&id), &unfinished] {
        let file = fs::File::options().write(true).open(file).unwrap();
        file.set_modified(std::time::SystemTime::now() - 2 * day).unwrap();
    }
    assert_eq!(store.prune(u64::MAX, 3 * day).unwrap(), "\"old\"".len() as u64);
    assert!(!unfinished.exists());
    assert_eq!(store.prune(u64::MAX, day).unwrap(), 0);
    assert!(!folder.exists(), "an empty session leaves no folder");
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_value_comes_back_as_it_was(value in value()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let limits = ResultLimits { recent_bytes: 0, ..ResultLimits::default() };
            let store = store(limits);
            let id = store.store.put("s", &value).await.unwrap();
            assert_eq!(*store.store.get("s", &id).await.unwrap().unwrap(), value);
        });
    }
}
