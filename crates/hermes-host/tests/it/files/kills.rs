//! `kill -9` at every system call of a write: the old content or the new, never anything else.

use std::cell::Cell;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

use hermes_host::workspace::Change;

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

/// Kills the child at its first call, its second, and so on to the last; `check` looks at what each left, `done` at what
/// comes of the child if it is let be. Returns how many kills there were.
fn kill_at_every_call(child: &str, done: fn(&Path) -> bool, check: impl Fn(&Path, &Path, &str)) -> usize {
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
            assert!(done(&work), "{place}");
            continue;
        }
        assert_eq!(ran.status.signal(), Some(9), "the child ended by itself at {place}: {ran:?}");
        kills += 1;
        check(&root, &work, &place);
    }
    assert!(kills * 10 > calls.len() * 9, "only {kills} kills at {} calls", calls.len());
    kills
}

fn is_new(work: &Path) -> bool {
    std::fs::read_to_string(work.join("a.txt")).is_ok_and(|found| found == NEW.repeat(REPEATED))
}

fn is_moved(work: &Path) -> bool {
    work.join("moved.txt").exists() && !work.join("a.txt").exists()
}

#[test]
fn a_killed_write_leaves_the_old_or_the_new_content() {
    let (old, new) = (OLD.repeat(REPEATED), NEW.repeat(REPEATED));
    let (before, after) = (Cell::new(0), Cell::new(0));
    let kills = kill_at_every_call("files::kills::child_writes", is_new, |root, work, place| {
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
#[ignore = "a child of the tests below"]
fn child_moves() {
    let Some(folder) = folder_of_child() else { return };
    let host = host(&folder);
    let cx = call(&host, &folder.join("work"), &["a.txt", "moved.txt"]).unwrap();
    let old = host.workspace.current(&cx, "a.txt").unwrap();
    let changes = [
        Change { raw: "a.txt", expected_sha256: old.sha256(), after: None, like: None },
        Change { raw: "moved.txt", expected_sha256: None, after: old.content(), like: Some("a.txt") },
    ];
    end(host.workspace.commit(&cx, &changes).map(|_| ()));
}

#[test]
fn a_file_that_is_moved_always_has_one_of_its_names() {
    let both = Cell::new(0);
    kill_at_every_call("files::kills::child_moves", is_moved, |root, work, place| {
        let names = ["a.txt", "moved.txt"].map(|name| std::fs::read_to_string(work.join(name)).ok());
        let contents: Vec<&String> = names.iter().flatten().collect();
        assert!(!contents.is_empty(), "neither name after a kill at {place}");
        assert!(contents.iter().all(|found| **found == OLD.repeat(REPEATED)), "kill at {place}");
        both.set(both.get() + usize::from(contents.len() == 2));
        let _next = host(root);
        let names = ["a.txt", "moved.txt"].map(|name| work.join(name).exists());
        assert!(names == [true, false] || names == [false, true], "{names:?} after a kill at {place}");
    });
    assert!(both.get() > 0, "the test does not reach the middle of the move");
}

#[test]
fn a_killed_commit_is_whole_and_can_be_taken_back() {
    let (old, new) = (OLD.repeat(REPEATED), NEW.repeat(REPEATED));
    let half_done = Cell::new(0);
    let kills = kill_at_every_call("files::kills::child_commits", is_new, |root, work, place| {
        let found = std::fs::read_to_string(work.join("a.txt")).unwrap();
        assert!(found == old || found == new, "a mixture after a kill at {place}");
        half_done.set(half_done.get() + usize::from(found == new && work.join("b.txt").exists()));
        // The next process finds all files as they were, or all as they were to be.
        let host = host(root);
        let found = ["a.txt", "b.txt", "c.txt"].map(|name| std::fs::read_to_string(work.join(name)).ok());
        let was = [Some(old.clone()), Some("kept".to_owned()), None];
        let is = [Some(new.clone()), None, Some("made".to_owned())];
        assert!(found == was || found == is, "half done after a kill at {place}");
        let unfinished = leftovers(work);
        assert!(
            unfinished.iter().all(|name| name.ends_with(".tmp")),
            "{unfinished:?} after a kill at {place}"
        );
        // It is written down, and undo brings every file back to what it was.
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
