//! `kill -9` at every system call of a write: the old content or the new, never anything else.

use std::cell::Cell;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use super::support::{
    DONE, NEW, OLD, REPEATED, call, calls_of, commit, end, folder_of_child, host, leftovers, overwrite,
    with_fault,
};

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

/// Kills the child at its first call, its second, and so on to the last; `check` looks at what each left. Returns
/// how many kills there were.
fn kill_at_every_call(child: &str, check: impl Fn(&Path, &Path, &str)) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    prepare(&root);
    let calls = calls_of(child, &root);
    let mut kills = 0;
    for call in &calls {
        let work = prepare(&root);
        let ran = with_fault(child, &root, call, "signal=KILL");
        let place = format!("{} number {}", call.0, call.1);
        if ran.status.code() == Some(DONE) {
            // Not every run waits for a lock or a thread as often as the first did.
            assert_eq!(std::fs::read_to_string(work.join("a.txt")).unwrap(), NEW.repeat(REPEATED), "{place}");
            continue;
        }
        assert_eq!(ran.status.signal(), Some(9), "the child ended by itself at {place}: {ran:?}");
        kills += 1;
        check(&root, &work, &place);
    }
    assert!(kills * 10 > calls.len() * 9, "only {kills} kills at {} calls", calls.len());
    kills
}

#[test]
fn a_killed_write_leaves_the_old_or_the_new_content() {
    let (old, new) = (OLD.repeat(REPEATED), NEW.repeat(REPEATED));
    let (before, after) = (Cell::new(0), Cell::new(0));
    let kills = kill_at_every_call("files::kills::child_writes", |root, work, place| {
        let found = std::fs::read_to_string(work.join("a.txt")).unwrap();
        assert!(found == old || found == new, "a mixture after a kill at {place}");
        let side = if found == old { &before } else { &after };
        side.set(side.get() + 1);
        assert_eq!(std::fs::read_to_string(work.join("b.txt")).unwrap(), "kept");
        // The next writer tidies up after the dead one.
        let host = host(root);
        let cx = call(&host, work, &["other.txt"]).unwrap();
        host.workspace.write(&cx, "other.txt", &overwrite(b"x")).unwrap();
        assert_eq!(leftovers(work), Vec::<String>::new(), "after a kill at {place}");
    });
    let (before, after) = (before.get(), after.get());
    assert!(kills > 20 && before > 20 && after > 0, "{before} kills before the change and {after} after it");
}

#[test]
fn a_killed_commit_can_be_taken_back() {
    let (old, new) = (OLD.repeat(REPEATED), NEW.repeat(REPEATED));
    let half_done = Cell::new(0);
    let kills = kill_at_every_call("files::kills::child_commits", |root, work, place| {
        let found = std::fs::read_to_string(work.join("a.txt")).unwrap();
        assert!(found == old || found == new, "a mixture after a kill at {place}");
        half_done.set(half_done.get() + usize::from(found == new && work.join("b.txt").exists()));
        // What was half done is written down, and undo brings every file back to what it was.
        let host = host(root);
        let store = host.workspace.undo().unwrap();
        for record in store.list().unwrap() {
            store.apply(&store.plan(vec![record]).unwrap()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(work.join("a.txt")).unwrap(), old, "kill at {place}");
        assert_eq!(std::fs::read_to_string(work.join("b.txt")).unwrap(), "kept", "kill at {place}");
        assert!(!work.join("c.txt").exists(), "kill at {place}");
    });
    assert!(
        kills > 20 && half_done.get() > 0,
        "{kills} kills: the test does not reach the middle of a commit"
    );
}
