//! What is appended is there, can be found, and stays as it is.

use std::os::unix::fs::PermissionsExt;

use hermes_core::ports::{Journal, JournalCall, JournalRecord};
use hermes_core::{ErrorCode, Verdict};
use hermes_host::Clock;
use hermes_host::state::{Durability, EntryKey, JournalFilter, JournalReader, SqliteJournal, StateOptions};
use serde_json::json;

use super::support::{
    all, append_all, assert_sound, call, completed, decision, home, open, outcome, verdict,
};

#[tokio::test]
async fn entries_come_back_in_order_and_whole() {
    let (home, _folder) = home();
    let clock = Clock::fixed_at_ms(1_700_000_000_000);
    let options = StateOptions { clock: clock.clone(), ..StateOptions::default() };
    let journal = SqliteJournal::open(&home, &options).unwrap();
    append_all(&journal, [decision("a"), completed("b")]).await;
    clock.advance(std::time::Duration::from_secs(1));
    append_all(&journal, [outcome("a")]).await;

    let entries = all(&home);
    let told: Vec<_> = entries
        .iter()
        .map(|entry| (entry.seq, entry.kind.as_str(), entry.call_id.as_str(), entry.status.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            (1, "decision", "a", None),
            (2, "completed", "b", Some("success")),
            (3, "outcome", "a", Some("success"))
        ]
    );
    assert_eq!(entries[0].at_ms, 1_700_000_000_000);
    assert_eq!(entries[2].at_ms, 1_700_000_001_000);
    assert_eq!(entries[0].body["call"]["arguments"], call("a").arguments);
    assert_eq!(entries[1].prev, entries[0].hash);
    assert_sound(&home);
}

#[tokio::test]
async fn entries_can_be_found() {
    let (home, _folder) = home();
    let journal = open(&home);
    let elsewhere = JournalCall { session: "session-2".into(), tool: "terminal".into(), ..call("z") };
    let denied = JournalRecord::Decision { call: elsewhere, decision: verdict(Verdict::Deny) };
    append_all(&journal, [decision("a"), denied, outcome("a"), completed("b")]).await;

    let reader = JournalReader::open(&home).unwrap();
    let seqs = |filter: JournalFilter| -> Vec<i64> {
        reader.list(&filter).unwrap().iter().map(|entry| entry.seq).collect()
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(seqs(JournalFilter { session: text("session-2"), ..Default::default() }), [2]);
    assert_eq!(seqs(JournalFilter { tool: text("write_file"), ..Default::default() }), [1, 3, 4]);
    assert_eq!(seqs(JournalFilter { status: text("permission_denied"), ..Default::default() }), [2]);
    assert_eq!(seqs(JournalFilter { limit: Some(2), ..Default::default() }), [3, 4]);
    assert_eq!(seqs(JournalFilter { since_ms: Some(i64::MAX), ..Default::default() }), [0; 0]);
    let both = JournalFilter { tool: text("write_file"), status: text("success"), ..Default::default() };
    assert_eq!(seqs(both), [3, 4]);

    let found =
        |key: EntryKey| -> Vec<i64> { reader.show(&key).unwrap().iter().map(|entry| entry.seq).collect() };
    assert_eq!(found(EntryKey::Seq(2)), [2]);
    assert_eq!(found(EntryKey::Call("a".into())), [1, 3]);
    assert_eq!(found(EntryKey::Call("nobody".into())), [0; 0]);
}

#[test]
fn there_is_no_journal_before_somebody_writes_one() {
    let (home, _folder) = home();
    assert_eq!(JournalReader::open(&home).err().unwrap().code, ErrorCode::NotFound);
    assert!(!home.state_db().exists());
    std::fs::create_dir_all(home.state_db().parent().unwrap()).unwrap();
    std::fs::write(home.state_db(), "").unwrap();
    let begun = JournalReader::open(&home).err().unwrap();
    assert_eq!(begun.code, ErrorCode::NotFound, "its first writer has only begun: {begun:?}");
}

#[tokio::test]
async fn hidden_characters_are_visible_in_the_database_and_lost_to_nobody() {
    let (home, _folder) = home();
    let journal = open(&home);
    let tricky = "\u{1b}[2J\u{7f}\u{9b}1m\u{202e}txt.exe\u{200b}\u{feff}\u{e0041} é 日本 \u{1f600}";
    let call = JournalCall { arguments: json!({ "text": tricky }), ..call("a") };
    let decision = verdict(Verdict::Allow);
    journal.append(JournalRecord::Decision { call, decision }).await.unwrap();

    let raw = rusqlite::Connection::open(home.state_db()).unwrap();
    let body: String = raw.query_row("SELECT body FROM journal", (), |row| row.get(0)).unwrap();
    for hidden in ['\u{1b}', '\u{7f}', '\u{9b}', '\u{202e}', '\u{200b}', '\u{feff}', '\u{e0041}'] {
        assert!(!body.contains(hidden), "{hidden:?} in {body}");
    }
    assert!(body.contains("é 日本 \u{1f600}"), "readable text stays readable");
    assert_eq!(all(&home)[0].body["call"]["arguments"]["text"], tricky);
}

#[tokio::test]
async fn rows_cannot_be_changed_through_the_database() {
    let (home, _folder) = home();
    append_all(&open(&home), [decision("a"), outcome("a")]).await;
    let raw = rusqlite::Connection::open(home.state_db()).unwrap();
    for sql in [
        "UPDATE journal SET tool = 'x'",
        "DELETE FROM journal WHERE seq = 2",
        "UPDATE journal_tip SET head_seq = 1",
        "DELETE FROM journal_tip",
    ] {
        assert!(raw.execute(sql, ()).unwrap_err().to_string().contains("append-only"), "{sql}");
    }
    assert_sound(&home);
}

#[tokio::test]
async fn a_power_safe_journal_works_the_same() {
    let (home, _folder) = home();
    let options = StateOptions { durability: Durability::Power, ..StateOptions::default() };
    let journal = SqliteJournal::open(&home, &options).unwrap();
    append_all(&journal, [decision("a"), outcome("a")]).await;
    journal.close();
    assert_sound(&home);
}

#[tokio::test]
async fn a_closed_journal_leaves_no_writer_and_private_files() {
    let (home, _folder) = home();
    let journal = open(&home);
    append_all(&journal, [completed("a")]).await;
    let mode = |path: std::path::PathBuf| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(home.writers_dir()), 0o700);
    assert_eq!(mode(home.state_db()), 0o600);
    assert_eq!(mode(home.root().join("state.db-wal")), 0o600);
    journal.close();
    let left: Vec<_> =
        std::fs::read_dir(home.writers_dir()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [".gate"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_callers_at_once_make_one_chain() {
    let (home, _folder) = home();
    let journal = std::sync::Arc::new(open(&home));
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..64 {
        let journal = std::sync::Arc::clone(&journal);
        tasks.spawn(async move {
            for number in 0..20 {
                let id = format!("{task}-{number}");
                append_all(&journal, [decision(&id), outcome(&id)]).await;
            }
        });
    }
    tasks.join_all().await;
    assert_eq!(all(&home).len(), 64 * 20 * 2);
    assert_sound(&home);
}
