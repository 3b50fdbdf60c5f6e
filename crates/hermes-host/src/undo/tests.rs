//! The store by itself: bounds, drift, chains.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::record::{Before, Touch};
use super::store::Origin;
use super::*;
use crate::clock::Clock;

struct Bench {
    _folder: tempfile::TempDir,
    root: PathBuf,
    store: UndoStore,
    clock: Clock,
}

fn bench(limits: UndoLimits) -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let clock = Clock::fixed_at_ms(1_000_000_000_000);
    let store = UndoStore::at(root.join("undo"), limits, clock.clone());
    Bench { _folder: folder, root, store, clock }
}

impl Bench {
    /// Changes a file as a door would, with a record before.
    fn change(&self, call: &str, turn: &str, name: &str, content: Option<&str>) -> UndoRecord {
        let path = self.root.join(name);
        let old = std::fs::read(&path).ok();
        let before = old.as_deref().map(|content| Before {
            content: Some(content),
            size: content.len() as u64,
            owner: (0, 0),
            mode: 0o640,
        });
        let hash = content.map(|content| super::objects::hash(content.as_bytes()));
        let after = hash.as_deref().zip(content).map(|(hash, content)| (hash, content.len() as u64));
        let origin = Origin { call, turn: Some(turn), session: "s", undoes: &[] };
        let record = self.store.record(&origin, &[Touch { path: &path, before, after }], &[]).unwrap();
        match content {
            Some(content) => std::fs::write(&path, content).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        self.clock.advance(Duration::from_millis(1));
        record
    }

    fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.root.join(name)).ok()
    }

    fn undo(&self, records: Vec<UndoRecord>) -> Result<Undone, hermes_core::ToolError> {
        self.store.apply(&self.store.plan(records).unwrap())
    }
}

#[test]
fn a_turn_goes_back_as_one_and_forward_again() {
    let bench = bench(UndoLimits::default());
    bench.change("c0", "t0", "a.txt", Some("zero"));
    bench.change("c1", "t1", "a.txt", Some("one"));
    bench.change("c2", "t1", "a.txt", Some("two"));
    bench.change("c3", "t1", "b.txt", Some("new"));
    let turn = bench.store.turn(&Turn::LastOf("s")).unwrap();
    assert_eq!(turn.iter().map(|record| record.call.as_str()).collect::<Vec<_>>(), ["c3", "c2", "c1"]);
    let undone = bench.undo(turn).unwrap();
    assert_eq!((bench.read("a.txt"), bench.read("b.txt")), (Some("zero".into()), None));
    // An undo is a change like any other, and the turn before it is next.
    bench.undo(vec![undone.record.unwrap()]).unwrap();
    assert_eq!((bench.read("a.txt"), bench.read("b.txt")), (Some("two".into()), Some("new".into())));
}

#[test]
fn the_next_turn_to_take_back_is_the_one_before() {
    let bench = bench(UndoLimits::default());
    bench.change("c0", "t0", "a.txt", Some("zero"));
    bench.change("c1", "t1", "a.txt", Some("one"));
    bench.undo(bench.store.turn(&Turn::LastOf("s")).unwrap()).unwrap();
    assert_eq!(bench.read("a.txt").as_deref(), Some("zero"));
    bench.undo(bench.store.turn(&Turn::LastOf("s")).unwrap()).unwrap();
    assert_eq!(bench.read("a.txt"), None);
    assert!(bench.store.turn(&Turn::LastOf("s")).is_err());
}

#[test]
fn drift_is_refused_and_bystanders_stay() {
    let bench = bench(UndoLimits::default());
    bench.change("c1", "t", "a.txt", Some("one"));
    bench.change("c2", "t", "b.txt", Some("mine"));
    std::fs::write(bench.root.join("a.txt"), "somebody's work").unwrap();
    let refused = bench.undo(bench.store.turn(&Turn::LastOf("s")).unwrap()).unwrap_err();
    assert!(refused.message.contains("a.txt"), "{refused}");
    assert_eq!(bench.read("b.txt").as_deref(), Some("mine"), "half an undo");
    assert_eq!(bench.read("a.txt").as_deref(), Some("somebody's work"));
}

#[test]
fn a_change_between_two_calls_is_drift_too() {
    let bench = bench(UndoLimits::default());
    bench.change("c1", "t", "a.txt", Some("one"));
    std::fs::write(bench.root.join("a.txt"), "edited by hand").unwrap();
    bench.change("c2", "t", "a.txt", Some("two"));
    assert!(bench.undo(bench.store.turn(&Turn::LastOf("s")).unwrap()).is_err());
    let last = bench.store.find("c2").unwrap();
    bench.undo(vec![last]).unwrap();
    assert_eq!(bench.read("a.txt").as_deref(), Some("edited by hand"));
}

#[test]
fn what_never_happened_is_done_already() {
    let bench = bench(UndoLimits::default());
    std::fs::write(bench.root.join("a.txt"), "old").unwrap();
    let record = bench.change("c1", "t", "a.txt", Some("new"));
    std::fs::write(bench.root.join("a.txt"), "old").unwrap();
    let plan = bench.store.plan(vec![record]).unwrap();
    assert!(plan.is_clear() && plan.is_done());
    assert!(bench.store.apply(&plan).unwrap().paths.is_empty());
}

#[test]
fn a_link_in_the_way_is_never_followed() {
    let bench = bench(UndoLimits::default());
    let record = bench.change("c1", "t", "a.txt", Some("new"));
    std::fs::write(bench.root.join("precious"), "new").unwrap();
    std::fs::remove_file(bench.root.join("a.txt")).unwrap();
    std::os::unix::fs::symlink("precious", bench.root.join("a.txt")).unwrap();
    assert!(bench.undo(vec![record]).is_err());
    assert_eq!(bench.read("precious").as_deref(), Some("new"));
}

#[test]
fn the_store_keeps_to_its_bounds() {
    let limits = UndoLimits { max_bytes: 50_000, max_file_bytes: 5_000, max_age_ms: 60_000 };
    let bench = bench(limits);
    for round in 0..40 {
        // Each is different, so none shares its content with another.
        bench.change(&format!("c{round}"), "t", "a.txt", Some(&format!("{round}").repeat(2_000)));
    }
    let kept = |folder: &Path| std::fs::read_dir(folder).unwrap().count();
    let bytes: u64 = std::fs::read_dir(bench.root.join("undo/objects"))
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .sum();
    assert!(bytes <= 50_000 + 10_000, "{bytes} bytes are kept");
    let newest = bench.store.find("c39").unwrap();
    bench.undo(vec![newest]).unwrap();
    bench.clock.advance(Duration::from_secs(3_600));
    bench.change("late", "t2", "b.txt", Some("x"));
    assert_eq!(bench.store.list().unwrap().len(), 1, "the old ones are too old");
    assert_eq!(kept(&bench.root.join("undo/objects")), 0);
}

#[test]
fn large_files_can_be_changed_but_not_taken_back() {
    let bench = bench(UndoLimits { max_file_bytes: 10, ..UndoLimits::default() });
    std::fs::write(bench.root.join("a.txt"), "longer than ten bytes").unwrap();
    let record = bench.change("c1", "t", "a.txt", Some("new"));
    assert!(bench.undo(vec![record]).unwrap_err().message.contains("too many to keep"));
    assert_eq!(bench.read("a.txt").as_deref(), Some("new"));
}
