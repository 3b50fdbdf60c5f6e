//! Several processes, one file, one chain.

use std::collections::BTreeSet;
use std::io::Write;

use hermes_core::ports::Journal;

use super::support::{
    all, append_all, assert_sound, child_of, completed, decision, home, open, outcome, runtime, spawn, tell,
    told,
};

#[test]
#[ignore = "a child of the tests below"]
fn child_appends_some() {
    let Some((home, name)) = child_of() else { return };
    runtime().block_on(async {
        let journal = open(&home);
        for number in 0..300 {
            let id = format!("{name}-{number}");
            append_all(&journal, [decision(&id), outcome(&id)]).await;
        }
        journal.close();
        tell("done");
    });
}

#[test]
fn processes_that_append_at_once_keep_one_chain() {
    let (home, _folder) = home();
    let mut children = ["one", "two"].map(|name| spawn("journal::sharing::child_appends_some", &home, name));
    runtime().block_on(async {
        let journal = open(&home);
        for number in 0..300 {
            append_all(&journal, [completed(&format!("parent-{number}"))]).await;
        }
        for child in &mut children {
            assert_eq!(told(child).last().as_deref(), Some("done"));
            child.wait().unwrap();
        }
        journal.close();
    });
    let entries = all(&home);
    assert_eq!(entries.len(), 2 * 600 + 300);
    let writers: BTreeSet<_> = entries.iter().map(|entry| &entry.writer).collect();
    assert_eq!(writers.len(), 3);
    assert!(entries.iter().all(|entry| entry.status.as_deref() != Some("outcome_unknown")));
    assert_sound(&home);
}

#[test]
#[ignore = "a child of the tests below"]
fn child_opens_calls_and_waits() {
    let Some((home, name)) = child_of() else { return };
    runtime().block_on(async {
        let journal = open(&home);
        for number in 0..5 {
            journal.append(decision(&format!("{name}-{number}"))).await.unwrap();
        }
        journal.append(outcome(&format!("{name}-0"))).await.unwrap();
        tell("opened");
        std::io::stdin().read_line(&mut String::new()).unwrap();
        journal.append(outcome(&format!("{name}-1"))).await.unwrap();
        tell("closed one");
        std::io::stdin().read_line(&mut String::new()).unwrap();
    });
}

#[test]
fn a_living_process_keeps_its_open_calls_and_a_dead_one_does_not() {
    let (home, _folder) = home();
    let mut child = spawn("journal::sharing::child_opens_calls_and_waits", &home, "c");
    let mut lines = told(&mut child);
    assert_eq!(lines.next().as_deref(), Some("opened"));

    let journal = open(&home);
    assert_eq!(journal.recovered(), 0, "the child is alive");
    runtime().block_on(append_all(&journal, [decision("c-2")]));
    child.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
    assert_eq!(lines.next().as_deref(), Some("closed one"));
    child.kill().unwrap();
    child.wait().unwrap();

    let another = open(&home);
    assert_eq!(another.recovered(), 3, "c-2, c-3 and c-4 of the child, not ours of the same name");
    assert_eq!(open(&home).recovered(), 0, "once");
    runtime().block_on(append_all(&journal, [outcome("c-2")]));
    let unknown: Vec<_> = all(&home)
        .into_iter()
        .filter(|entry| entry.status.as_deref() == Some("outcome_unknown"))
        .map(|entry| entry.call_id)
        .collect();
    assert_eq!(unknown, ["c-2", "c-3", "c-4"]);
    another.close();
    journal.close();
    assert_eq!(open(&home).recovered(), 0, "our own c-2 was finished");
    assert_sound(&home);
}
