//! `kill -9` at every system call of a write: the old content or the new, never anything else.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use super::support::{
    DONE, NEW, OLD, REPEATED, call, commit, end, folder_of_child, host, leftovers, overwrite, traced,
};

/// No write takes more calls than this.
const MOST_CALLS: usize = 2_000;

#[test]
#[ignore = "a child of the tests below"]
fn child_writes() {
    let Some(folder) = folder_of_child() else { return };
    let host = host(&folder);
    let cx = call(&host, &folder.join("work"), &["a.txt"]).unwrap();
    let new = NEW.repeat(REPEATED);
    end(host.workspace.write(&cx, "a.txt", &overwrite(new.as_bytes())).map(|_| ()));
}

#[test]
#[ignore = "a child of the tests below"]
fn child_commits() {
    let Some(folder) = folder_of_child() else { return };
    let host = host(&folder);
    let cx = call(&host, &folder.join("work"), &["a.txt", "b.txt", "c.txt"]).unwrap();
    end(commit(&host.workspace, &cx, NEW.repeat(REPEATED).as_bytes()));
}

fn prepare(folder: &Path) -> PathBuf {
    let work = folder.join("work");
    let _ = std::fs::remove_dir_all(&work);
    let _ = std::fs::remove_dir_all(folder.join(".hermes"));
    std::fs::create_dir_all(&work).unwrap();
    std::fs::write(work.join("a.txt"), OLD.repeat(REPEATED)).unwrap();
    std::fs::write(work.join("b.txt"), "kept").unwrap();
    work
}

/// Kills the child at its first call, its second, and so on, until it gets through; `check` looks at what
/// each left. Returns how many kills there were.
fn kill_at_every_call(child: &str, check: impl Fn(&Path, &Path, usize)) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for number in 1..MOST_CALLS {
        let work = prepare(&root);
        let ran = traced(child, &root, &format!("inject=all:signal=KILL:when={number}"));
        if ran.status.code() == Some(DONE) {
            assert_eq!(std::fs::read_to_string(work.join("a.txt")).unwrap(), NEW.repeat(REPEATED));
            return number - 1;
        }
        let signal = ran.status.signal().or(ran.status.code().map(|code| code - 128));
        assert_eq!(signal, Some(9), "the child ended by itself at call {number}: {ran:?}");
        check(&root, &work, number);
    }
    panic!("the child never got through");
}

#[test]
fn a_killed_write_leaves_the_old_or_the_new_content() {
    let (old, new) = (OLD.repeat(REPEATED), NEW.repeat(REPEATED));
    let kills = kill_at_every_call("files::kills::child_writes", |root, work, number| {
        let found = std::fs::read_to_string(work.join("a.txt")).unwrap();
        assert!(found == old || found == new, "a mixture after a kill at call {number}");
        assert_eq!(std::fs::read_to_string(work.join("b.txt")).unwrap(), "kept");
        // The next writer tidies up after the dead one.
        let host = host(root);
        let cx = call(&host, work, &["other.txt"]).unwrap();
        host.workspace.write(&cx, "other.txt", &overwrite(b"x")).unwrap();
        assert_eq!(leftovers(work), Vec::<String>::new(), "after a kill at call {number}");
    });
    assert!(kills > 20, "only {kills} kills: the test does not reach the write");
}

#[test]
fn a_killed_commit_can_be_taken_back() {
    let (old, new) = (OLD.repeat(REPEATED), NEW.repeat(REPEATED));
    let kills = kill_at_every_call("files::kills::child_commits", |root, work, number| {
        let found = std::fs::read_to_string(work.join("a.txt")).unwrap();
        assert!(found == old || found == new, "a mixture after a kill at call {number}");
        // What was half done is written down, and undo brings every file back to what it was.
        let host = host(root);
        let store = host.workspace.undo().unwrap();
        for record in store.list().unwrap() {
            store.apply(&store.plan(vec![record]).unwrap()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(work.join("a.txt")).unwrap(), old, "kill at call {number}");
        assert_eq!(std::fs::read_to_string(work.join("b.txt")).unwrap(), "kept", "kill at call {number}");
        assert!(!work.join("c.txt").exists(), "kill at call {number}");
    });
    assert!(kills > 20, "only {kills} kills: the test does not reach the commit");
}
