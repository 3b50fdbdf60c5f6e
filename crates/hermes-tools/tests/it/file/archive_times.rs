//! When files were changed survives packing and unpacking, by us and by others.

use std::fs::{File, FileTimes};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use hermes_testkit::TestRuntime;
use serde_json::{Value, json};

use super::file_compress::program;
use crate::support::value;

/// Even, because the clocks of zip files go by two seconds.
const FILE_TIME: i64 = 1_234_567_890;
const FOLDER_TIME: i64 = 1_111_111_110;

fn set_time(path: &Path, seconds: i64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.try_into().unwrap());
    File::open(path).unwrap().set_times(FileTimes::new().set_modified(time)).unwrap();
}

#[track_caller]
fn assert_times(test: &TestRuntime, folder: &str) {
    let time = |name: &str| test.path(folder).join(name).metadata().unwrap().mtime();
    assert_eq!((time("d/a.txt"), time("d")), (FILE_TIME, FOLDER_TIME), "{folder}");
}

async fn tree() -> TestRuntime {
    let test = TestRuntime::new().await;
    test.write("src/d/a.txt", "hello\n");
    set_time(&test.path("src/d/a.txt"), FILE_TIME);
    set_time(&test.path("src/d"), FOLDER_TIME);
    test
}

fn extract(name: &str, to: &str) -> Value {
    json!({"action": "extract", "source": name, "destination": to, "strip_components": 1})
}

#[tokio::test]
async fn times_survive_in_archives() {
    let test = tree().await;
    for (name, pack, unpack) in [
        ("o.zip", &["zip", "-qr", "t.zip", "src"][..], &["unzip", "-q", "../o.zip"][..]),
        ("o.tar", &["tar", "-cf", "t.tar", "src"], &["tar", "-xf", "../o.tar"]),
        ("o.tgz", &["tar", "-czf", "t.tgz", "--format=pax", "src"], &["tar", "-xzf", "../o.tgz"]),
        (
            "o.tar.zst",
            &["tar", "--zstd", "-cf", "t.tar.zst", "src"],
            &["tar", "--zstd", "-xf", "../o.tar.zst"],
        ),
        ("o.7z", &["7zz", "a", "-bd", "t.7z", "src"], &["7zz", "x", "-bd", "../o.7z"]),
    ] {
        let ours = json!({"action": "compress", "source": "src", "destination": name});
        value(test.call("file_compress", ours).await);
        let by = format!("by-{name}");
        std::fs::create_dir(test.path(&by)).unwrap();
        let ran = Command::new(unpack[0]).args(&unpack[1..]).current_dir(test.path(&by)).output().unwrap();
        assert!(ran.status.success(), "{name}: {ran:?}");
        assert_times(&test, &format!("{by}/src"));
        value(test.call("file_compress", extract(name, &format!("own-{name}"))).await);
        assert_times(&test, &format!("own-{name}"));
        program(&test, pack);
        let theirs = name.replacen('o', "t", 1);
        value(test.call("file_compress", extract(&theirs, &format!("out-{name}"))).await);
        assert_times(&test, &format!("out-{name}"));
    }
}

/// A single file is packed as it is, also if it is named itself.
#[tokio::test]
async fn a_file_that_is_named_itself_keeps_its_time_and_mode() {
    let test = TestRuntime::new().await;
    let script = test.write("run.sh", "#!/bin/sh\n");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    set_time(&script, FILE_TIME);
    for name in ["o.zip", "o.tar", "o.tar.zst", "o.7z", "run.sh.gz", "run.sh.zst", "run.sh.xz"] {
        let pack = json!({"action": "compress", "source": "run.sh", "destination": name});
        value(test.call("file_compress", pack).await);
        let unpack = json!({"action": "extract", "source": name, "destination": format!("out-{name}")});
        value(test.call("file_compress", unpack).await);
        let out = test.path(&format!("out-{name}/run.sh")).metadata().unwrap();
        assert_eq!(out.mtime(), FILE_TIME, "{name}");
        if name.starts_with("o.") {
            assert_eq!(out.mode() & 0o777, 0o755, "{name}");
        }
    }
    program(&test, &["zstd", "-q", "-d", "run.sh.zst", "-o", "by-zstd"]);
    assert_eq!(test.path("by-zstd").metadata().unwrap().mtime(), FILE_TIME);
    program(&test, &["zstd", "-q", "run.sh", "-o", "theirs.zst"]);
    let unpack = json!({"action": "extract", "source": "theirs.zst", "destination": "out"});
    value(test.call("file_compress", unpack).await);
    assert_eq!(test.path("out/theirs").metadata().unwrap().mtime(), FILE_TIME);
}
