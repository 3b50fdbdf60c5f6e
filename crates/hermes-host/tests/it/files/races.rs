//! A folder that is exchanged for a link while every door is used. Answers may be errors; nothing of the other
//! side is ever read, written, listed, deleted or renamed.

use std::io::Read;
use std::ops::ControlFlow;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hermes_host::workspace::{Change, ListOptions, Visit, Visitor, WalkOptions};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::support::{call, host, overwrite};

struct Reads(bool);

impl Visitor for Reads {
    fn visit(&mut self, visit: &Visit<'_>) -> ControlFlow<()> {
        let mut text = String::new();
        if let Ok(Some(mut file)) = visit.open() {
            let _ = file.read_to_string(&mut text);
        }
        self.0 |= text.contains("PRIVATE");
        ControlFlow::Continue(())
    }
}

#[test]
fn a_folder_exchanged_for_a_link_leads_nowhere() {
    race(20_000);
}

#[test]
#[ignore = "takes minutes; run it with: cargo nextest run -p hermes-host --run-ignored only -E 'test(three_hundred)'"]
fn three_hundred_thousand_rounds_and_no_escape() {
    race(300_000);
}

/// So many rounds, and more until every door has opened at least once. Every round uses four doors, every sixteenth
/// a fifth one.
fn race(rounds: usize) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let (work, outside) = (root.join("work"), root.join("outside"));
    std::fs::create_dir_all(work.join("dir")).unwrap();
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("a.txt"), "PRIVATE").unwrap();
    std::fs::write(outside.join("gone.txt"), "PRIVATE").unwrap();
    symlink(&outside, work.join("link")).unwrap();
    // Not remembered for undo: the race is about doors, and the memory would only slow it down.
    let mut host = host(&root);
    host.workspace = host.workspace.clone().with_undo(None);
    let (workspace, options) = (&host.workspace, ListOptions { depth: 2, hidden: true, ignore: false });
    let walk = WalkOptions { hidden: true, ignore: false, max_depth: None };

    let stop = Arc::new(AtomicBool::new(false));
    let swapper = {
        let (stop, dir, link) = (Arc::clone(&stop), work.join("dir"), work.join("link"));
        let swap =
            move |a: &PathBuf, b: &PathBuf| renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).unwrap();
        std::thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                swap(&dir, &link);
                swap(&dir, &link);
            }
        })
    };
    let mut done = [0_usize; 5];
    for round in 0..rounds * 50 {
        if round >= rounds && done.iter().all(|count| *count > 0) {
            break;
        }
        // Judged while the folder is a folder; used while it may be anything.
        let Some(cx) = call(&host, &work, &["dir", "dir/a.txt", "dir/gone.txt", "dir/moved.txt"]) else {
            continue;
        };
        if let Ok(mut file) = workspace.open_read(&cx, "dir/a.txt") {
            let mut text = String::new();
            let _ = file.read_to_string(&mut text);
            assert_ne!(text, "PRIVATE", "read through the link in round {round}");
            done[0] += 1;
        }
        done[1] += usize::from(workspace.write(&cx, "dir/a.txt", &overwrite(b"inside")).is_ok());
        if let Ok(listing) = workspace.list(&cx, "dir", options) {
            // `gone.txt` is inside only between the two halves of this round.
            assert!(listing.entries.len() <= 2, "listed the other side in round {round}: {listing:?}");
            done[2] += 1;
        }
        if let Ok(current) = workspace.current(&cx, "dir/a.txt")
            && let Some(sha256) = current.sha256()
        {
            let moved = [
                Change { raw: "dir/a.txt", expected_sha256: Some(sha256), after: None, like: None },
                Change {
                    raw: "dir/moved.txt",
                    expected_sha256: None,
                    after: current.content(),
                    like: Some("dir/a.txt"),
                },
            ];
            if workspace.commit(&cx, &moved).is_ok() {
                done[3] += 1;
                let _ = std::fs::remove_file(work.join("dir/moved.txt"));
                let _ = std::fs::remove_file(work.join("link/moved.txt"));
            }
        }
        if round % 16 == 0
            && let Ok(walked) = workspace.walk(&cx, "dir", walk, || Reads(false))
        {
            assert!(walked.visitors.iter().all(|reads| !reads.0), "searched the other side in round {round}");
            done[4] += 1;
        }
    }
    stop.store(true, Ordering::Relaxed);
    swapper.join().unwrap();
    let mut names: Vec<_> =
        std::fs::read_dir(&outside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a.txt", "gone.txt"], "something was made or taken away outside");
    for name in names {
        assert_eq!(std::fs::read_to_string(outside.join(name)).unwrap(), "PRIVATE");
    }
    assert!(done.iter().all(|count| *count > 0), "doors that opened: {done:?}");
}
