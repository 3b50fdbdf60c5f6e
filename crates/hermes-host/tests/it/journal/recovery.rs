//! Starting after a crash is quick, however long the journal.

use hermes_core::Verdict;
use hermes_core::ports::JournalRecord;

use super::support::{
    all, append_all, assert_sound, call, completed, decision, home, open, outcome, verdict,
};

#[tokio::test]
async fn a_denied_call_has_no_outcome_to_recover() {
    let (home, _folder) = home();
    let journal = open(&home);
    let denied = JournalRecord::Decision { call: call("no"), decision: verdict(Verdict::Deny) };
    append_all(&journal, [denied, completed("read"), decision("done"), outcome("done"), decision("open")])
        .await;
    journal.close();
    let journal = open(&home);
    assert_eq!(journal.recovered(), 1);
    let last = all(&home).pop().unwrap();
    assert_eq!((last.call_id.as_str(), last.status.as_deref()), ("open", Some("outcome_unknown")));
    assert!(last.body["outcome"]["error"].as_str().unwrap().contains("may have happened"));
}

#[tokio::test]
async fn one_outcome_closes_one_call_even_if_two_go_by_one_id() {
    let (home, _folder) = home();
    let journal = open(&home);
    append_all(&journal, [decision("same"), decision("same"), outcome("same")]).await;
    journal.close();
    assert_eq!(open(&home).recovered(), 1);
}

/// Fills the tables behind the journal's back: what is tried here is opening, not appending.
fn fill(home: &hermes_host::home::Home, rows: u32, open_calls: u32) {
    let raw = rusqlite::Connection::open(home.state_db()).unwrap();
    raw.execute_batch("BEGIN").unwrap();
    let mut row = raw
        .prepare("INSERT INTO journal VALUES (?1, 0, 'decision', ?2, 's', 't', NULL, ?3, 'w', zeroblob(32), zeroblob(32))")
        .unwrap();
    let body = format!("{{\"text\":\"{}\"}}", "x".repeat(500));
    for seq in 1..=rows {
        row.execute(rusqlite::params![seq, format!("call-{seq}"), body]).unwrap();
    }
    let mut open = raw.prepare("INSERT INTO journal_tip VALUES (?1, 's', ?2, 't', 'w', NULL, NULL)").unwrap();
    for seq in 1..=open_calls {
        open.execute(rusqlite::params![format!("call-{seq}"), seq]).unwrap();
    }
    raw.execute("UPDATE journal_tip SET head_seq = ?1 WHERE seq = 0", [rows]).unwrap();
    raw.execute_batch("COMMIT").unwrap();
}

#[test]
fn a_long_journal_is_recovered() {
    let (home, _folder) = home();
    open(&home).close();
    fill(&home, 100_000, 1_000);
    assert_eq!(open(&home).recovered(), 1_000);
}

#[tokio::test]
async fn a_new_journal_is_sound() {
    let (home, _folder) = home();
    drop(open(&home));
    assert_sound(&home);
}
