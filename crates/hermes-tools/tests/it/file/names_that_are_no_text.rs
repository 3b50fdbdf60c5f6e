//! Names of files are bytes. Those that are no text are shown so that they can be used again.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use crate::support::{failure, value};

const SHOWN: &str = "file:caf%E9.txt";
const BELOW: &str = "file:d%FF/x.txt";

async fn odd_names() -> TestRuntime {
    let test = TestRuntime::new().await;
    let folder = test.write("plain.txt", "needle plain\n").parent().unwrap().to_owned();
    let odd = |name: &[u8]| -> PathBuf { folder.join(OsStr::from_bytes(name)) };
    std::fs::write(odd(b"caf\xe9.txt"), "needle one\n").unwrap();
    std::fs::write(odd(b"caf\xe8.txt"), "needle two\n").unwrap();
    std::fs::create_dir(odd(b"d\xff")).unwrap();
    std::fs::write(odd(b"d\xff/x.txt"), "needle below\n").unwrap();
    test
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[tokio::test]
async fn what_is_listed_can_be_read_changed_and_deleted() {
    let test = odd_names().await;
    let listing = value(test.call("directory_list", json!({"depth": 2})).await);
    let paths: Vec<&str> =
        listing["entries"].as_array().unwrap().iter().map(|entry| entry["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["file:caf%E8.txt", SHOWN, "file:d%FF", BELOW, "plain.txt"]);
    assert_eq!(listing["entries"][3]["name"], "x.txt");
    for path in paths.iter().filter(|path| path.ends_with(".txt")) {
        let read = value(test.call("read_file", json!({"path": path})).await);
        assert!(read["content"].as_str().unwrap().starts_with("1|needle "), "{path}");
    }
    let inner = value(test.call("directory_list", json!({"path": "file:d%FF"})).await);
    assert_eq!(inner["entries"][0]["path"], BELOW);
    let tree = value(test.call("directory_list", json!({"tree": true})).await);
    assert!(tree["tree"].as_str().unwrap().contains(SHOWN));

    let patch = json!({"path": SHOWN, "old_string": "one", "new_string": "three"});
    value(test.call("patch", patch).await);
    let folder = test.path("plain.txt").parent().unwrap().to_owned();
    let first = folder.join(OsStr::from_bytes(b"caf\xe9.txt"));
    assert_eq!(std::fs::read_to_string(&first).unwrap(), "needle three\n");
    let written = value(test.call("write_file", json!({"path": SHOWN, "content": "new\n"})).await);
    assert_eq!(std::fs::read_to_string(&first).unwrap(), "new\n");
    assert!(written["path"].as_str().unwrap().ends_with("caf%E9.txt"), "{written}");
    let patch = format!("*** Begin Patch\n*** Delete File: {SHOWN}\n*** End Patch");
    value(test.call("patch", json!({"mode": "patch", "patch": patch})).await);
    assert!(!first.exists());
    let error = failure(test.call("read_file", json!({"path": "caf\u{fffd}.txt"})).await);
    assert_eq!(texts(&error.data["similar_files"])[0], "file:caf%E8.txt");
}

#[tokio::test]
async fn what_is_found_is_told_apart_and_found_again() {
    let test = odd_names().await;
    let all = ["file:caf%E8.txt", SHOWN, BELOW, "plain.txt"];
    let names = value(test.call("search_files", json!({"pattern": "*.txt", "target": "files"})).await);
    assert_eq!(texts(&names["files"]), all);
    let counts = value(test.call("search_files", json!({"pattern": "needle", "output_mode": "count"})).await);
    let counted: Vec<&String> = counts["counts"].as_object().unwrap().keys().collect();
    assert_eq!(counted, all);
    let lines = value(test.call("search_files", json!({"pattern": "needle below"})).await);
    assert_eq!(lines["matches"], format!("{BELOW}\n1:needle below\n"));
    for mode in ["fuzzy", "glob", "regex", "content"] {
        let query = match mode {
            "glob" => "caf*",
            "content" => "needle one|needle two",
            _ => "caf",
        };
        let found = value(test.call("file_search", json!({"query": query, "mode": mode})).await);
        let mut paths: Vec<&str> = found["matches"]
            .as_array()
            .unwrap()
            .iter()
            .map(|found| found["path"].as_str().unwrap())
            .collect();
        paths.sort_unstable();
        assert_eq!(paths, ["file:caf%E8.txt", SHOWN], "{mode}");
    }
    let both = json!({"left": SHOWN, "right": "file:caf%E8.txt"});
    assert_eq!(value(test.call("file_diff", both).await)["added"], 1);
}

/// Names of a tar are bytes too; formats that hold text alone say so.
#[tokio::test]
async fn archives_keep_every_byte_of_a_name_or_say_that_they_cannot() {
    let test = odd_names().await;
    let all = json!(["plain.txt", SHOWN, "file:d%FF"]);
    for archive in ["a.tar", "a.tar.gz", "a.tar.zst", "a.tar.xz"] {
        let packed = json!({"action": "compress", "source": all, "destination": archive});
        assert_eq!(value(test.call("file_compress", packed).await)["files"], 3);
        let listed = value(test.call("file_compress", json!({"action": "list", "source": archive})).await);
        let names: Vec<&str> = listed["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["name"].as_str().unwrap())
            .collect();
        assert!(names.contains(&SHOWN) && names.contains(&BELOW), "{names:?}");
        let out = format!("out-{archive}");
        value(
            test.call("file_compress", json!({"action": "extract", "source": archive, "destination": out}))
                .await,
        );
        let below = test.path(&out).join(OsStr::from_bytes(b"d\xff/x.txt"));
        assert_eq!(std::fs::read_to_string(below).unwrap(), "needle below\n");
    }
    // As other programs see it, and as they write it.
    super::file_compress::program(&test, &["tar", "-xf", "a.tar", "--one-top-level=theirs"]);
    let theirs = test.path("theirs").join(OsStr::from_bytes(b"caf\xe9.txt"));
    assert_eq!(std::fs::read_to_string(theirs).unwrap(), "needle one\n");
    super::file_compress::program(&test, &["tar", "-cf", "theirs.tar", "-C", "theirs", "."]);
    let unpack = json!({"action": "extract", "source": "theirs.tar", "destination": "again"});
    assert_eq!(value(test.call("file_compress", unpack).await)["files"], 3);
    assert!(test.path("again").join(OsStr::from_bytes(b"caf\xe9.txt")).exists());
    for archive in ["a.zip", "a.7z"] {
        let packed = json!({"action": "compress", "source": SHOWN, "destination": archive});
        let refused = failure(test.call("file_compress", packed).await);
        assert!(refused.hint.as_deref().unwrap_or_default().contains("tar"), "{refused}");
        let packed = json!({"action": "compress", "source": "theirs", "destination": archive});
        let packed = value(test.call("file_compress", packed).await);
        assert!(packed["note"].as_str().unwrap().contains("3 "), "{packed}");
    }
    let bare = json!({"action": "compress", "source": SHOWN, "destination": "file:caf%E9.txt.gz"});
    value(test.call("file_compress", bare).await);
    let unpack = json!({"action": "extract", "source": "file:caf%E9.txt.gz", "destination": "bare"});
    value(test.call("file_compress", unpack).await);
    assert!(test.path("bare").join(OsStr::from_bytes(b"caf\xe9.txt")).exists());
}
