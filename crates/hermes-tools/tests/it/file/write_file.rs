use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::{code, failure, value};

#[tokio::test]
async fn creates_replaces_and_appends() {
    let test = TestRuntime::new().await;
    let new = value(test.call("write_file", json!({"path": "a/b/c.txt", "content": "one\ntwo\n"})).await);
    assert_eq!(
        new,
        json!({
            "success": true, "path": test.path("a/b/c.txt"), "bytes_written": 8, "created": true,
            "diff_summary": "new file, 2 lines", "sha256": new["sha256"]
        })
    );
    let same = value(test.call("write_file", json!({"path": "a/b/c.txt", "content": "one\nTWO\n"})).await);
    assert_eq!(
        (&same["created"], &same["diff_summary"]),
        (&json!(false), &json!("line 2 replaced by 1 line (2 → 2 lines)"))
    );
    let more = json!({"path": "a/b/c.txt", "content": "three\n", "mode": "append"});
    let more = value(test.call("file_write", more).await);
    assert_eq!((&more["bytes_written"], &more["diff_summary"]), (&json!(6), &json!("1 line appended")));
    assert_eq!(test.read("a/b/c.txt"), "one\nTWO\nthree\n");
    let read = value(test.call("read_file", json!({"path": "a/b/c.txt"})).await);
    assert_eq!(read["sha256"], more["sha256"], "both tools speak of the same hash");
}

#[tokio::test]
async fn the_name_of_a_folder_is_no_file() {
    let test = TestRuntime::new().await;
    let error = failure(test.call("write_file", json!({"path": "folder/", "content": "x"})).await);
    assert_eq!(error.code, ErrorCode::InvalidArgument);
    assert!(!test.path("folder").exists());
}

#[tokio::test]
async fn create_refuses_an_existing_file() {
    let test = TestRuntime::new().await;
    let create = json!({"path": "a.txt", "content": "x", "mode": "create"});
    assert_eq!(value(test.call("write_file", create.clone()).await)["created"], true);
    assert_eq!(code(test.call("write_file", create).await), ErrorCode::Conflict);
    let appended =
        value(test.call("write_file", json!({"path": "new.txt", "content": "x", "mode": "append"})).await);
    assert_eq!(appended["created"], true);
}

#[tokio::test]
async fn a_stale_hash_stops_the_write() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "first");
    let hash = value(test.call("read_file", json!({"path": "a.txt"})).await)["sha256"].clone();
    let write = |content: &str| json!({"path": "a.txt", "content": content, "expected_hash": hash});
    test.write("a.txt", "somebody else was here");
    let stale = failure(test.call("write_file", write("mine")).await);
    assert_eq!(stale.code, ErrorCode::Conflict);
    assert_eq!(test.read("a.txt"), "somebody else was here");
    test.write("a.txt", "first");
    assert_eq!(value(test.call("write_file", write("mine")).await)["success"], true);

    let gone = json!({"path": "no/such.txt", "content": "x", "expected_hash": hash});
    assert_eq!(code(test.call("write_file", gone).await), ErrorCode::Conflict);
    assert!(!test.path("no").exists(), "nothing was made on the way");
    let malformed = json!({"path": "a.txt", "content": "x", "expected_hash": "abc"});
    assert_eq!(code(test.call("write_file", malformed).await), ErrorCode::InvalidArgument);
}

#[tokio::test]
async fn of_many_writers_with_the_same_hash_one_wins() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "start");
    let hash = value(test.call("read_file", json!({"path": "a.txt"})).await)["sha256"].clone();
    let writers: Vec<_> = (0..16)
        .map(|number| {
            let session = test.session(&format!("s{number}"));
            let arguments =
                json!({"path": "a.txt", "content": format!("from {number}"), "expected_hash": hash});
            tokio::spawn(async move { session.call("write_file", arguments).await })
        })
        .collect();
    let mut winners = Vec::new();
    for (number, writer) in writers.into_iter().enumerate() {
        let outcome = writer.await.unwrap();
        match outcome.is_success() {
            true => winners.push(number),
            false => assert_eq!(code(outcome), ErrorCode::Conflict),
        }
    }
    let [winner] = winners.as_slice() else { panic!("winners: {winners:?}") };
    assert_eq!(test.read("a.txt"), format!("from {winner}"));
}

#[tokio::test]
async fn missing_folders_are_made_only_if_wanted() {
    let test = TestRuntime::new().await;
    let refused = json!({"path": "x/y.txt", "content": "", "create_dirs": false});
    assert_eq!(code(test.call("write_file", refused).await), ErrorCode::NotFound);
    test.write("file", "");
    let through_a_file = json!({"path": "file/y.txt", "content": ""});
    assert_eq!(code(test.call("write_file", through_a_file).await), ErrorCode::InvalidArgument);
    let a_folder = failure(test.call("write_file", json!({"path": ".", "content": ""})).await);
    assert_eq!(a_folder.code, ErrorCode::InvalidArgument);
    assert_eq!(leftovers(test.workspace()), Vec::<String>::new());
}

#[tokio::test]
async fn mode_and_hard_links_are_handled_on_purpose() {
    let test = TestRuntime::new().await;
    let script = test.write("run.sh", "#!/bin/sh\n");
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o750)).unwrap();
    std::fs::hard_link(&script, test.path("twin")).unwrap();
    let written = value(test.call("write_file", json!({"path": "run.sh", "content": "#!/bin/bash\n"})).await);
    assert_eq!(script.metadata().unwrap().mode() & 0o777, 0o750);
    assert_eq!(test.read("twin"), "#!/bin/sh\n");
    assert!(written["note"].as_str().unwrap().contains("1 more hard links"), "{written}");
}

#[tokio::test]
async fn a_link_is_followed_and_told() {
    let test = TestRuntime::new().await;
    test.write("real/a.txt", "old");
    symlink("real/a.txt", test.path("link.txt")).unwrap();
    let written = value(test.call("write_file", json!({"path": "link.txt", "content": "new"})).await);
    assert_eq!(written["path"], json!(test.path("real/a.txt")));
    assert!(written["note"].as_str().unwrap().contains("symbolic link"));
    assert!(test.path("link.txt").is_symlink(), "the link itself stays");
    assert_eq!(test.read("real/a.txt"), "new");
}

#[tokio::test]
async fn nothing_is_written_outside_the_allowed_tree() {
    let test = TestRuntime::new().await;
    let outside = test.workspace().parent().unwrap().join("outside");
    std::fs::create_dir(&outside).unwrap();
    symlink(&outside, test.path("door")).unwrap();
    symlink(outside.join("made-through-link"), test.path("dangling")).unwrap();
    let paths =
        ["../outside/x", "door/x", "dangling", "/etc/hermes-test", "a/../../outside/x", "~/x", "door/../x"];
    for path in paths {
        let outcome = test.call("write_file", json!({"path": path, "content": "x"})).await;
        assert_eq!(code(outcome), ErrorCode::PermissionDenied, "{path}");
    }
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
}

#[tokio::test]
async fn numbered_listings_are_not_taken_for_content() {
    let test = TestRuntime::new().await;
    test.write("a.txt", "one\ntwo\nthree\n");
    let listing = value(test.call("read_file", json!({"path": "a.txt"})).await)["content"].clone();
    let refused = failure(test.call("write_file", json!({"path": "a.txt", "content": listing})).await);
    assert_eq!(refused.code, ErrorCode::InvalidArgument);
    assert_eq!(test.read("a.txt"), "one\ntwo\nthree\n");
}

#[tokio::test]
async fn encodings_and_limits() {
    let test = TestRuntime::new().await;
    let call = |content: &str, encoding: &str| json!({"path": "x", "content": content, "encoding": encoding});
    value(test.call("write_file", call("café", "latin-1")).await);
    assert_eq!(std::fs::read(test.path("x")).unwrap(), b"caf\xe9");
    assert_eq!(code(test.call("write_file", call("漢", "latin-1")).await), ErrorCode::InvalidArgument);
    value(test.call("write_file", call("AAEC\n/w==", "base64")).await);
    assert_eq!(std::fs::read(test.path("x")).unwrap(), [0, 1, 2, 255]);
    assert_eq!(
        code(test.call("write_file", call("not base64!", "base64")).await),
        ErrorCode::InvalidArgument
    );
    let big = json!({"path": "big", "content": "x".repeat(10 * 1024 * 1024 + 1)});
    assert_eq!(code(test.call("write_file", big).await), ErrorCode::TooLarge);
    assert!(!test.path("big").exists());
}

#[tokio::test]
async fn what_is_added_takes_the_form_of_the_file() {
    let test = TestRuntime::new().await;
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for (before, more, after) in [
        (utf16("\u{feff}a\n"), "bé\n", utf16("\u{feff}a\nbé\n")),
        (utf16("\u{feff}a\r\n"), "b\n", utf16("\u{feff}a\r\nb\r\n")),
        (b"caf\xe9\n".to_vec(), "è\n", b"caf\xe9\n\xe8\n".to_vec()),
        (b"a\r\nb\r\n".to_vec(), "c\nd\n", b"a\r\nb\r\nc\r\nd\r\n".to_vec()),
        (b"a\r\nb\n".to_vec(), "c\n", b"a\r\nb\nc\n".to_vec()),
        ("\u{feff}a\n".into(), "é\n", "\u{feff}a\né\n".into()),
        (b"\0\x01\x02\xff".to_vec(), "x", b"\0\x01\x02\xffx".to_vec()),
    ] {
        test.write("f", &before);
        let call = json!({"path": "f", "content": more, "mode": "append"});
        let answer = value(test.call("write_file", call).await);
        assert_eq!(std::fs::read(test.path("f")).unwrap(), after, "{before:?}: {answer}");
        assert_eq!(answer["bytes_written"], json!(after.len() - before.len()));
    }
    test.write("latin1", b"caf\xe9\n");
    let refused = failure(
        test.call("write_file", json!({"path": "latin1", "content": "漢\n", "mode": "append"})).await,
    );
    assert!(refused.message.contains("Latin-1"), "{refused}");
    assert_eq!(std::fs::read(test.path("latin1")).unwrap(), b"caf\xe9\n");
    let bytes = json!({"path": "latin1", "content": "/w==", "encoding": "base64", "mode": "append"});
    value(test.call("write_file", bytes).await);
    assert_eq!(std::fs::read(test.path("latin1")).unwrap(), b"caf\xe9\n\xff");
}

#[tokio::test]
async fn changes_of_form_are_told() {
    let test = TestRuntime::new().await;
    test.write("dos.txt", "a\r\nb\r\n");
    let written = value(test.call("write_file", json!({"path": "dos.txt", "content": "a\nb\n"})).await);
    assert!(written["note"].as_str().unwrap().contains("CRLF"));
    test.write("old.txt", b"\xef\xbb\xbfcaf\xe9");
    let written = value(test.call("write_file", json!({"path": "old.txt", "content": "café"})).await);
    let note = written["note"].as_str().unwrap();
    assert!(note.contains("byte order mark") && note.contains("not in UTF-8"), "{note}");
}

#[tokio::test]
async fn a_folder_that_lets_nothing_in_keeps_what_it_has() {
    if rustix::process::geteuid().is_root() {
        return; // Root may write everywhere.
    }
    let test = TestRuntime::new().await;
    test.write("frozen/a.txt", "old");
    std::fs::set_permissions(test.path("frozen"), PermissionsExt::from_mode(0o555)).unwrap();
    let outcome = test.call("write_file", json!({"path": "frozen/a.txt", "content": "new"})).await;
    assert_eq!(code(outcome), ErrorCode::PermissionDenied);
    std::fs::set_permissions(test.path("frozen"), PermissionsExt::from_mode(0o755)).unwrap();
    let file = test.write("read-only.txt", "old");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o444)).unwrap();
    let outcome = test.call("write_file", json!({"path": "read-only.txt", "content": "new"})).await;
    assert_eq!(code(outcome), ErrorCode::PermissionDenied);
    assert_eq!((test.read("frozen/a.txt"), test.read("read-only.txt")), ("old".into(), "old".into()));
    assert_eq!(leftovers(&test.path("frozen")), Vec::<String>::new());
}

#[tokio::test]
async fn a_full_disk_keeps_the_old_content() {
    let test = TestRuntime::new().await;
    std::fs::create_dir(test.path("disk")).unwrap();
    let _mounted = SmallDisk::mount(test.path("disk"));
    test.write("disk/a.txt", "old");
    let too_much = json!({"path": "disk/a.txt", "content": "x".repeat(1_000_000)});
    let error = failure(test.call("write_file", too_much).await);
    assert!(error.message.contains("no space is left"), "{error}");
    assert_eq!(test.read("disk/a.txt"), "old");
    assert_eq!(leftovers(&test.path("disk")), Vec::<String>::new());
    let fits = json!({"path": "disk/a.txt", "content": "new"});
    assert_eq!(value(test.call("write_file", fits).await)["success"], true);
}

/// A disk of 64 KB.
pub(super) struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    pub(super) fn mount(path: std::path::PathBuf) -> Self {
        let mut mount = std::process::Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(&path);
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        assert!(mounted, "this test mounts a small disk; run it as root or in a user namespace: unshare -rm");
        SmallDisk(path)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}

/// Temporary files that a write left behind.
fn leftovers(folder: &std::path::Path) -> Vec<String> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(".hermes-"))
        .collect()
}

#[tokio::test]
async fn broken_configuration_is_written_and_noted() {
    let test = TestRuntime::new().await;
    let write = async |path: &str, content: &str| {
        let answer = value(test.call("write_file", json!({"path": path, "content": content})).await);
        answer["note"].as_str().unwrap_or_default().to_owned()
    };
    assert!(write("a.json", "{\"a\": 1,}").await.contains("not well-formed"));
    assert!(write("a.yaml", "a: [1\n").await.contains("not well-formed"));
    assert!(write("a.toml", "a =\n").await.contains("not well-formed"));
    assert_eq!(write("b.json", "{\"a\": [1, 2]}\n").await, "");
    assert_eq!(test.read("a.toml"), "a =\n");
}
