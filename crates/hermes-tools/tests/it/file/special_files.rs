//! Devices, pipes, endless and unreadable things: none of them may block or fill the memory.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::Duration;

use hermes_core::ErrorCode;
use hermes_testkit::TestRuntime;
use serde_json::json;

use crate::support::{code, failure, value};

#[tokio::test]
async fn pipes_sockets_and_devices_are_refused_at_once() {
    let test = TestRuntime::new().await;
    rustix::fs::mkfifoat(rustix::fs::CWD, test.path("pipe"), 0o600.into()).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(test.path("socket")).unwrap();
    symlink("/dev/zero", test.path("endless")).unwrap();
    for path in ["pipe", "socket", "endless", "/dev/zero", "/dev/null", "/dev/tty", "//dev/random"] {
        let error = failure(test.call("read_file", json!({"path": path})).await);
        assert!(
            matches!(error.code, ErrorCode::InvalidArgument | ErrorCode::NotFound),
            "{path}: {} {error}",
            error.code
        );
    }
    for path in ["pipe", "socket"] {
        let outcome = test.call("write_file", json!({"path": path, "content": "x"})).await;
        assert_eq!(code(outcome), ErrorCode::InvalidArgument, "{path}");
    }
}

#[tokio::test]
async fn secrets_of_processes_are_closed_and_facts_are_open() {
    let test = TestRuntime::new().await;
    for path in [
        "/proc/self/environ",
        "/proc/1/environ",
        "/proc/self/cmdline",
        "/proc/self/mem",
        "/proc/kcore",
        "/proc/self/fd/0",
        "/proc/self/root/proc/self/environ",
        "/proc/thread-self/environ",
    ] {
        let outcome = test.call("read_file", json!({"path": path})).await;
        assert!(
            matches!(
                code(outcome),
                ErrorCode::PermissionDenied | ErrorCode::NotFound | ErrorCode::InvalidArgument
            ),
            "{path}"
        );
    }
    let facts = value(test.call("read_file", json!({"path": "/proc/meminfo"})).await);
    assert!(facts["content"].as_str().unwrap().contains("MemTotal"));
    assert_eq!(facts["file_size"], 0, "the kernel makes this file up");
}

#[tokio::test]
async fn a_huge_sparse_file_is_read_in_bounded_memory() {
    let test = TestRuntime::new().await;
    let head = "a line of text\n".repeat(1_000);
    let path = test.write("huge.log", &head);
    std::fs::File::options().write(true).open(&path).unwrap().set_len(1 << 30).unwrap();
    let before = peak_memory();
    let read = value(test.call("read_file", json!({"path": "huge.log", "limit": 10})).await);
    assert_eq!((&read["total_lines"], &read["next_offset"]), (&json!(1_001), &json!(11)));
    let tail = value(test.call("read_file", json!({"path": "huge.log", "offset": 1_001})).await);
    assert!(tail["content"].as_str().unwrap().contains("[cut here"));
    // Other tests run beside this one; the whole file would be 1024 MB.
    assert!(peak_memory() - before < 400 << 20, "{} bytes", peak_memory() - before);

    let zeros = test.write("zeros", "");
    std::fs::File::options().write(true).open(&zeros).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(code(test.call("read_file", json!({"path": "zeros"})).await), ErrorCode::InvalidArgument);
}

#[tokio::test]
async fn reading_stops_when_the_call_is_cancelled() {
    let test = TestRuntime::new().await;
    let path = test.write("huge.log", "text\n".repeat(3_000));
    std::fs::File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
    let (call, cancel) = test.call_cancellable("read_file", json!({"path": "huge.log", "offset": 9_999}));
    tokio::time::sleep(Duration::from_millis(100)).await;
    cancel.cancel();
    // Reading on to the end of a terabyte would not end within the time a test has.
    assert_eq!(code(call.await.unwrap()), ErrorCode::Cancelled);
}

#[tokio::test]
async fn what_is_asked_of_the_wrong_thing_leads_to_the_right_one() {
    let test = TestRuntime::new().await;
    rustix::fs::mkfifoat(rustix::fs::CWD, test.path("pipe"), 0o600.into()).unwrap();
    test.write("src/main.rs", "x");
    test.write("big.txt", "x\n".repeat(6 * 1024 * 1024));
    for (tool, arguments, expected, helps) in [
        (
            "search_files",
            json!({"pattern": "x", "path": "pipe"}),
            ErrorCode::InvalidArgument,
            "regular files",
        ),
        (
            "search_files",
            json!({"pattern": "*", "target": "files", "path": "pipe"}),
            ErrorCode::InvalidArgument,
            "regular files",
        ),
        ("file_search", json!({"query": "x", "path": "pipe"}), ErrorCode::InvalidArgument, "regular files"),
        ("directory_list", json!({"path": "src/main.rs"}), ErrorCode::InvalidArgument, "read_file"),
        ("directory_list", json!({"path": "srcs"}), ErrorCode::NotFound, "\"src\""),
        ("search_files", json!({"pattern": "x", "path": "srcs"}), ErrorCode::NotFound, "\"src\""),
        ("file_search", json!({"query": "x", "path": "src/man.rs"}), ErrorCode::NotFound, "src/main.rs"),
        (
            "search_files",
            json!({"pattern": "x", "path": "none/at/all"}),
            ErrorCode::NotFound,
            "directory_list",
        ),
        (
            "patch",
            json!({"path": "src", "old_string": "x", "new_string": "y"}),
            ErrorCode::InvalidArgument,
            "Name a file in it",
        ),
        (
            "write_file",
            json!({"path": "x".repeat(300), "content": "x"}),
            ErrorCode::InvalidArgument,
            "at most 255 bytes",
        ),
        (
            "file_watch",
            json!({"action": "start", "paths": ["later.txt"]}),
            ErrorCode::NotFound,
            "folder where it will be",
        ),
        (
            "file_compress",
            json!({"action": "list", "source": "none.zip"}),
            ErrorCode::NotFound,
            "directory_list",
        ),
        (
            "patch",
            json!({"path": "big.txt", "old_string": "x", "new_string": "y"}),
            ErrorCode::TooLarge,
            "10 MiB",
        ),
        (
            "patch",
            json!({"path": "big.txt", "old_string": "x", "new_string": "y"}),
            ErrorCode::TooLarge,
            "sed",
        ),
    ] {
        let error = failure(test.call(tool, arguments.clone()).await);
        let told = format!("{error} {:?} {}", error.hint, json!(error.data));
        assert!(error.code == expected && told.contains(helps), "{tool} {arguments}: {} {told}", error.code);
    }
}

#[tokio::test]
async fn unreadable_files_say_so() {
    if rustix::process::geteuid().is_root() {
        return; // Root may read everything.
    }
    let test = TestRuntime::new().await;
    let path = test.write("locked", "x");
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o000)).unwrap();
    assert_eq!(code(test.call("read_file", json!({"path": "locked"})).await), ErrorCode::PermissionDenied);
}

#[tokio::test]
async fn symlink_loops_end() {
    let test = TestRuntime::new().await;
    symlink("b", test.path("a")).unwrap();
    symlink("a", test.path("b")).unwrap();
    assert_eq!(code(test.call("read_file", json!({"path": "a"})).await), ErrorCode::InvalidArgument);
    assert_eq!(
        code(test.call("write_file", json!({"path": "a/x", "content": "x"})).await),
        ErrorCode::InvalidArgument
    );
}

/// The most memory this process ever had resident, in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// What is in the way is named, and what would be of no use is not said.
#[tokio::test]
async fn refusals_speak_of_what_is_wrong() {
    let test = TestRuntime::new().await;
    rustix::fs::mkfifoat(rustix::fs::CWD, test.path("pipe"), 0o600.into()).unwrap();
    test.write("x.txt", "x\n");
    test.write("latin1.txt", b"caf\xe9\n");
    test.write("bytes", b"x\0\x01");
    let pack = json!({"action": "compress", "source": "x.txt", "destination": "x.zip"});
    value(test.call("file_compress", pack).await);
    let unpack = json!({"action": "extract", "source": "x.zip", "destination": "out", "overwrite": true});
    std::fs::create_dir(test.path("out")).unwrap();
    symlink("../x.txt", test.path("out/x.txt")).unwrap();
    test.write("no.zip", "PK no archive at all");
    let letter = json!({"path": "latin1.txt", "old_string": "caf", "new_string": "漢"});
    let added = json!({"path": "latin1.txt", "mode": "append", "content": "漢"});
    for (tool, arguments, says, helps) in [
        (
            "read_file",
            json!({"path": "x.txt", "encoding": "base64", "offset": 0}),
            "/offset",
            r#"put right: {"path":"x.txt""#,
        ),
        ("directory_list", json!({"path": "pipe"}), "neither a folder nor", "the folder it is in"),
        (
            "file_compress",
            json!({"action": "compress", "source": "pipe", "destination": "p.zip"}),
            "neither a folder nor",
            "the folder it is in",
        ),
        ("directory_list", json!({"path": "x.txt"}), "not a folder", "read_file"),
        ("file_compress", unpack, "a symbolic link stands there", "overwrite replaces only files"),
        (
            "file_compress",
            json!({"action": "extract", "source": "no.zip"}),
            "nothing was unpacked",
            "action 'list'",
        ),
        (
            "patch",
            json!({"path": "bytes", "old_string": "x", "new_string": "y"}),
            "binary file",
            "Only texts",
        ),
        ("patch", letter, "has no '漢'", "write_file"),
        ("write_file", added, "has no '漢'", "in UTF-8"),
    ] {
        let error = failure(test.call(tool, arguments.clone()).await);
        let hint = error.hint.clone().unwrap_or_default();
        assert!(error.message.contains(says) && hint.contains(helps), "{tool} {arguments}: {error} {hint}");
        assert!(!hint.contains("a valid example"), "{tool}: {hint}");
    }
    assert_eq!(test.read("x.txt"), "x\n");
}
