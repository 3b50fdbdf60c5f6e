//! A disk that fails: an error is told, and what was there is still there.

use std::path::Path;

use super::support::{
    DONE, FAILED, NEW, OLD, REPEATED, UNKNOWN, call, calls_of, commit, host, leftovers, overwrite, with_fault,
};

/// The calls by which a write reaches the disk.
const CALLS: &[&str] = &[
    "write",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "linkat",
    "unlinkat",
    "fchmod",
    "openat",
    "openat2",
    "mkdir",
    "mkdirat",
    "flock",
];

fn fail_at_every_call(child: &str, error: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let (old, new) = (OLD.repeat(REPEATED), NEW.repeat(REPEATED));
    prepare(&root);
    let mut calls = calls_of(child, &root);
    calls.retain(|(name, _)| CALLS.contains(&name.as_str()));
    let mut failures = 0;
    for call in calls {
        let work = prepare(&root);
        let ran = with_fault(child, &root, &call, &format!("error={error}"));
        let place = format!("{error} at {} number {}", call.0, call.1);
        let a = std::fs::read_to_string(work.join("a.txt")).unwrap();
        let others = || (work.join("b.txt").exists(), work.join("c.txt").exists());
        let several = child.ends_with("commits");
        match ran.status.code() {
            Some(DONE) => {
                assert_eq!(a, new, "{place} was taken for success");
                assert!(!several || others() == (false, true), "{place}");
            }
            Some(FAILED) => {
                failures += 1;
                assert_eq!(a, old, "{place} changed the file");
                assert!(!several || others() == (true, false), "{place}");
            }
            Some(UNKNOWN) => {
                failures += 1;
                assert_eq!(a, new, "{place}: unknown means that it is there now");
            }
            code => panic!("{place} ended the child with {code:?}: {ran:?}"),
        }
    }
    failures
}

fn prepare(folder: &Path) -> std::path::PathBuf {
    let work = folder.join("work");
    let _ = std::fs::remove_dir_all(&work);
    let _ = std::fs::remove_dir_all(folder.join(".hermes"));
    std::fs::create_dir_all(&work).unwrap();
    std::fs::write(work.join("a.txt"), OLD.repeat(REPEATED)).unwrap();
    std::fs::write(work.join("b.txt"), "kept").unwrap();
    work
}

#[test]
fn a_full_or_broken_disk_loses_nothing() {
    for error in ["ENOSPC", "EIO"] {
        let failures = fail_at_every_call("files::kills::child_writes", error);
        assert!(failures > 5, "only {failures} failures of {error}: the test does not reach the write");
    }
}

#[test]
fn a_commit_on_a_broken_disk_changes_all_or_nothing() {
    let failures = fail_at_every_call("files::kills::child_commits", "EIO");
    assert!(failures > 5, "only {failures} failures: the test does not reach the commit");
}

#[test]
fn a_disk_that_is_really_full_keeps_the_old_content() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let mount = |arguments: &[&str]| {
        std::process::Command::new(arguments[0]).args(&arguments[1..]).arg(&disk).status().unwrap().success()
    };
    assert!(
        mount(&["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs"]),
        "this test mounts a small disk; run it as root or in a user namespace: unshare -rm"
    );
    let root = disk.canonicalize().unwrap();
    std::fs::write(root.join("a.txt"), "old").unwrap();
    std::fs::write(root.join("b.txt"), "kept").unwrap();
    let host = host(folder.path());
    let cx = call(&host, &root, &["a.txt", "b.txt", "c.txt"]).unwrap();
    let large = vec![b'x'; 2 << 20];
    let written = host.workspace.write(&cx, "a.txt", &overwrite(&large));
    let committed = commit(&host.workspace, &cx, &large);
    let (a, b) = (std::fs::read_to_string(root.join("a.txt")), std::fs::read_to_string(root.join("b.txt")));
    let (left, again) = (leftovers(&root), host.workspace.write(&cx, "a.txt", &overwrite(b"new")));
    assert!(mount(&["umount"]));
    assert!(written.unwrap_err().message.contains("no space") && committed.is_err());
    assert_eq!((a.unwrap(), b.unwrap(), left), ("old".into(), "kept".into(), Vec::new()));
    assert!(again.is_ok(), "a small write fits again");
}

#[test]
fn a_read_only_disk_is_told_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    std::fs::write(disk.join("a.txt"), "old").unwrap();
    std::fs::write(disk.join("b.txt"), "kept").unwrap();
    let run = |arguments: &[&str]| {
        std::process::Command::new(arguments[0]).args(&arguments[1..]).status().unwrap().success()
    };
    let path = disk.to_str().unwrap();
    assert!(
        run(&["mount", "--bind", path, path]) && run(&["mount", "-o", "remount,bind,ro", path]),
        "this test mounts; run it as root or in a user namespace: unshare -rm"
    );
    let root = disk.canonicalize().unwrap();
    let host = host(folder.path());
    let cx = call(&host, &root, &["a.txt", "b.txt", "c.txt"]).unwrap();
    let written = host.workspace.write(&cx, "a.txt", &overwrite(b"new"));
    let committed = commit(&host.workspace, &cx, b"new");
    assert!(run(&["umount", path]));
    assert!(written.unwrap_err().message.contains("read-only"));
    assert!(committed.is_err());
    assert_eq!(std::fs::read_to_string(disk.join("a.txt")).unwrap(), "old");
}
