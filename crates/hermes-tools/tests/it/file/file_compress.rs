//! `file_compress`: archives that other programs open, and hostile ones that do nothing.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use hermes_core::ErrorCode;
use hermes_policy::paths::Places;
use hermes_policy::{PathRoots, Pattern, Rules};
use hermes_testkit::TestRuntime;
use serde_json::{Value, json};
use sha2::Digest;

use super::hostile_archives::{Evil, zip_of};
use super::write_file::SmallDisk;
use crate::support::{code, failure, value};

pub(super) const PASSWORD: &str = "Grüße, and a long one";

pub(super) const ASCII_PASSWORD: &str = "correct horse";

/// Runs a program in the workspace; it must be there and succeed.
pub(super) fn program(test: &TestRuntime, command: &[&str]) {
    let ran = Command::new(command[0]).args(&command[1..]).current_dir(test.workspace()).output();
    let ran =
        ran.unwrap_or_else(|_| panic!("'{}' is not installed; get it with: cargo xtask setup", command[0]));
    assert!(ran.status.success(), "{command:?}: {ran:?}");
}

fn compress(destination: &str) -> Value {
    json!({"action": "compress", "source": ["src"], "destination": destination, "exclude": ["*.log"]})
}

pub(super) async fn tree() -> TestRuntime {
    let test = TestRuntime::builder()
        .env("ARCHIVE_PASSWORD", PASSWORD)
        .env("ASCII_PASSWORD", ASCII_PASSWORD)
        .env("OTHER_PASSWORD", "something else entirely")
        .build()
        .await;
    test.write("src/a.txt", "hello\n");
    test.write("src/deep/er/b.bin", (0..=255_u8).cycle().take(100_000).collect::<Vec<_>>());
    test.write("src/größe.txt", "unicode name\n");
    test.write("src/skip.log", "left out\n");
    let run = test.write("src/run.sh", "#!/bin/sh\n");
    std::fs::set_permissions(run, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::create_dir(test.path("src/empty")).unwrap();
    symlink("a.txt", test.path("src/link")).unwrap();
    test
}

#[track_caller]
pub(super) fn assert_same(test: &TestRuntime, folder: &str) {
    for name in ["a.txt", "deep/er/b.bin", "größe.txt", "run.sh"] {
        let copy = std::fs::read(test.path(folder).join(name))
            .unwrap_or_else(|error| panic!("{folder}/{name}: {error}"));
        assert_eq!(copy, std::fs::read(test.path("src").join(name)).unwrap(), "{folder}/{name}");
    }
    let mode = test.path(folder).join("run.sh").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755, "{folder}");
    assert!(test.path(folder).join("empty").is_dir());
    assert!(!test.path(folder).join("skip.log").exists() && !test.path(folder).join("link").exists());
}

#[tokio::test]
async fn what_we_pack_others_unpack() {
    let test = tree().await;
    for (name, unpack) in [
        ("o.zip", &["unzip", "-q", "../o.zip"][..]),
        ("o.tar", &["tar", "-xf", "../o.tar"]),
        ("o.tar.gz", &["tar", "-xzf", "../o.tar.gz"]),
        ("o.tar.zst", &["tar", "--zstd", "-xf", "../o.tar.zst"]),
        ("o.tar.xz", &["tar", "-xJf", "../o.tar.xz"]),
        ("o.7z", &["7zz", "x", "-bd", "../o.7z"]),
    ] {
        let answer = value(test.call("file_compress", compress(name)).await);
        assert_eq!((&answer["files"], answer["note"].as_str().is_some()), (&json!(4), true), "{answer}");
        let folder = format!("by-{name}");
        std::fs::create_dir(test.path(&folder)).unwrap();
        let ran =
            Command::new(unpack[0]).args(&unpack[1..]).current_dir(test.path(&folder)).output().unwrap();
        assert!(ran.status.success(), "{name}: {ran:?}");
        assert_same(&test, &format!("{folder}/src"));
        let ours = json!({"action": "extract", "source": name, "destination": format!("own-{name}"), "strip_components": 1});
        value(test.call("file_compress", ours).await);
        assert_same(&test, &format!("own-{name}"));
    }
}

#[tokio::test]
async fn what_others_pack_we_unpack() {
    let test = tree().await;
    std::fs::remove_file(test.path("src/link")).unwrap();
    std::fs::remove_file(test.path("src/skip.log")).unwrap();
    for (name, pack) in [
        ("t.zip", &["zip", "-qr", "t.zip", "src"][..]),
        ("t.tar", &["tar", "-cf", "t.tar", "src"]),
        ("t.tgz", &["tar", "-czf", "t.tgz", "--format=pax", "src"]),
        ("t.tar.zst", &["tar", "--zstd", "-cf", "t.tar.zst", "src"]),
        ("t.txz", &["tar", "-cJf", "t.txz", "src"]),
        ("t.7z", &["7zz", "a", "-bd", "t.7z", "src"]),
        ("lone.7z", &["7zz", "a", "-bd", "-ms=off", "-m0=LZMA:d=1m", "-mhc=off", "lone.7z", "src"]),
    ] {
        program(&test, pack);
        let listed = value(test.call("file_compress", json!({"action": "list", "source": name})).await);
        assert_eq!(listed["files"], 4, "{listed}");
        let out = format!("out-{name}");
        let answer = test
            .call("file_compress", json!({"action": "extract", "source": name, "destination": out}))
            .await;
        value(answer);
        assert_same(&test, &format!("{out}/src"));
    }
    program(&test, &["gzip", "-k", "src/a.txt"]);
    program(&test, &["zstd", "-q", "src/a.txt"]);
    program(&test, &["xz", "-k", "-9", "src/a.txt"]);
    for name in ["src/a.txt.gz", "src/a.txt.zst", "src/a.txt.xz"] {
        let out = format!("one-{}", name.rsplit('.').next().unwrap());
        value(
            test.call("file_compress", json!({"action": "extract", "source": name, "destination": out}))
                .await,
        );
        assert_eq!(test.read(&format!("{out}/a.txt")), "hello\n");
    }
}

#[tokio::test]
async fn existing_files_are_replaced_only_on_request() {
    let test = tree().await;
    value(test.call("file_compress", compress("o.zip")).await);
    assert_eq!(code(test.call("file_compress", compress("o.zip")).await), ErrorCode::Conflict);
    test.write("out/src/a.txt", "mine\n");
    let mut extract = json!({"action": "extract", "source": "o.zip", "destination": "out"});
    assert_eq!(code(test.call("file_compress", extract.clone()).await), ErrorCode::Conflict);
    assert_eq!(names(&test.path("out")), ["src", "src/a.txt"], "a refused archive left something behind");
    assert_eq!(test.read("out/src/a.txt"), "mine\n");
    extract["overwrite"] = true.into();
    value(test.call("file_compress", extract.clone()).await);
    assert_eq!(test.read("out/src/a.txt"), "hello\n");
    // A link where a folder is needed is never followed.
    let outside = test.workspace().parent().unwrap().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::create_dir(test.path("trap")).unwrap();
    symlink(&outside, test.path("trap/src")).unwrap();
    extract["destination"] = "trap".into();
    assert_eq!(code(test.call("file_compress", extract).await), ErrorCode::Conflict);
    assert_eq!(names(&outside), Vec::<String>::new());
}

#[tokio::test]
async fn every_level_works_in_every_format() {
    let test = tree().await;
    for ending in ["zip", "7z", "tar", "tar.gz", "tar.zst", "tar.xz"] {
        for level in [0, 1, 9] {
            let name = format!("l{level}.{ending}");
            let mut arguments = compress(&name);
            arguments["level"] = level.into();
            value(test.call("file_compress", arguments).await);
            let unpack = json!({"action": "extract", "source": name, "destination": format!("out-{name}")});
            value(test.call("file_compress", unpack).await);
            assert_same(&test, &format!("out-{name}/src"));
        }
    }
}

#[tokio::test]
async fn a_full_disk_is_told_as_such_and_keeps_nothing_half() {
    let test = tree().await;
    value(test.call("file_compress", compress("o.zip")).await);
    std::fs::create_dir(test.path("disk")).unwrap();
    let _mounted = SmallDisk::mount(test.path("disk"));
    // Nothing that could be made smaller.
    let noise: Vec<u8> = (0..6_000_u32).flat_map(|at| sha2::Sha256::digest(at.to_le_bytes())).collect();
    test.write("noise.bin", noise);
    let pack = |name: &str| json!({"action": "compress", "source": "noise.bin", "destination": format!("disk/{name}"), "level": 0});
    let unpack = json!({"action": "extract", "source": "o.zip", "destination": "disk/out"});
    for arguments in [
        pack("n.zip"),
        pack("n.7z"),
        pack("n.tar"),
        pack("n.tar.gz"),
        pack("n.tar.zst"),
        pack("n.tar.xz"),
        unpack,
    ] {
        let error = failure(test.call("file_compress", arguments.clone()).await);
        assert!(error.message.contains("no space is left"), "{arguments}: {error}");
        assert_eq!(names(&test.path("disk")), Vec::<String>::new(), "{arguments}");
    }
}

#[tokio::test]
async fn protected_places_stay_protected() {
    let test = TestRuntime::new().await;
    let everything = vec![std::path::PathBuf::from("/")];
    let rules = Rules {
        name: "guarded".into(),
        allow: vec![Pattern::parse("*").unwrap()],
        roots: PathRoots { read: everything.clone(), write: everything, ..PathRoots::default() },
        places: Some(Places::new("/nowhere", test.host().home.clone(), [test.workspace().to_owned()])),
        ..Rules::default()
    };
    let session = test.session_with(|options| options.policy = Arc::new(rules));
    test.write("hook.zip", zip_of(&[Evil::file(".git/hooks/pre-commit", b"#!/bin/sh\n")]));
    let arguments = json!({"action": "extract", "source": "hook.zip", "destination": "."});
    assert_eq!(code(session.call("file_compress", arguments).await), ErrorCode::PermissionDenied);
    assert_eq!(names(test.workspace()), ["hook.zip"]);
}

/// Everything below a folder, sorted.
pub(super) fn names(folder: &Path) -> Vec<String> {
    fn walk(root: &Path, folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            found.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
            if path.is_dir() && !path.is_symlink() {
                walk(root, &path, found);
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, folder, &mut found);
    found.sort();
    found
}

#[tokio::test]
async fn what_would_be_lost_in_an_archive_is_refused() {
    let test = TestRuntime::new().await;
    test.write("s1/a.txt", "1");
    test.write("s2/a.txt", "2");
    for destination in ["two.zip", "two.tar"] {
        let both =
            json!({"action": "compress", "source": ["s1/a.txt", "s2/a.txt"], "destination": destination});
        let error = failure(test.call("file_compress", both).await);
        assert_eq!(error.code, ErrorCode::InvalidArgument);
        assert!(
            error.message.contains("s1/a.txt") && error.message.contains("s2/a.txt"),
            "{}",
            error.message
        );
        assert!(!test.path(destination).exists());
    }
    let one = json!({"action": "compress", "source": "s1", "destination": "one.zip"});
    value(test.call("file_compress", one.clone()).await);
    let error = failure(test.call("file_compress", one).await);
    assert!(error.hint.unwrap().contains("overwrite"), "{}", error.message);
}
