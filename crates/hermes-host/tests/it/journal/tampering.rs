//! Whatever is done to the journal behind its back shows.

use std::fs;

use hermes_host::home::Home;
use hermes_host::state::{JournalReader, VerifyReport};
use rusqlite::Connection;

use super::support::{append_all, completed, home, open, runtime};

const ENTRIES: i64 = 10;

fn written() -> (Home, tempfile::TempDir) {
    let (home, folder) = home();
    let journal = open(&home);
    runtime()
        .block_on(append_all(&journal, (1..=ENTRIES).map(|number| completed(&format!("call-{number}")))));
    journal.close();
    (home, folder)
}

/// Does `sql` to the journal with its guards taken down.
fn tampered(sql: &str) -> VerifyReport {
    let (home, _folder) = written();
    let raw = Connection::open(home.state_db()).unwrap();
    for trigger in
        ["journal_no_update", "journal_no_delete", "journal_head_no_delete", "journal_head_only_forward"]
    {
        raw.execute_batch(&format!("DROP TRIGGER {trigger}")).unwrap();
    }
    raw.execute_batch(sql).unwrap();
    JournalReader::open(&home).unwrap().verify().unwrap()
}

#[test]
fn an_untouched_journal_is_sound() {
    let (home, _folder) = written();
    let report = JournalReader::open(&home).unwrap().verify().unwrap();
    assert_eq!(report, VerifyReport { entries: 10, ok: true, first_bad_seq: None, problem: None });
}

#[test]
fn every_column_is_sealed() {
    for edit in [
        "at_ms = at_ms + 1",
        "kind = 'decision'",
        "call_id = 'other'",
        "session = 'other'",
        "tool = 'other'",
        "status = NULL",
        "status = ''",
        "body = replace(body, 'notes', 'Notes')",
        "writer = 'other'",
        "prev = zeroblob(32)",
        "hash = zeroblob(32)",
        "hash = zeroblob(3)",
        // Moving the border between two columns leaves their text together the same.
        "call_id = call_id || substr(session, 1, 1), session = substr(session, 2)",
    ] {
        let report = tampered(&format!("UPDATE journal SET {edit} WHERE seq = 4"));
        assert_eq!(
            (report.ok, report.first_bad_seq, report.entries),
            (false, Some(4), 3),
            "{edit}: {report:?}"
        );
    }
}

#[test]
fn rows_cannot_be_removed_moved_or_added() {
    let cases = [
        ("DELETE FROM journal WHERE seq = 1", Some(1)),
        ("DELETE FROM journal WHERE seq = 5", Some(5)),
        ("DELETE FROM journal WHERE seq = 10", Some(10)),
        ("DELETE FROM journal WHERE seq > 6", Some(7)),
        ("DELETE FROM journal", Some(1)),
        (
            "UPDATE journal SET seq = -1 WHERE seq = 3; UPDATE journal SET seq = 3 WHERE seq = 4; UPDATE journal SET seq = 4 WHERE seq = -1",
            Some(3),
        ),
        ("DELETE FROM journal WHERE seq = 5; UPDATE journal SET seq = seq - 1 WHERE seq > 5", Some(5)),
        (
            "INSERT INTO journal SELECT 11, at_ms, kind, call_id, session, tool, status, body, writer, hash, hash FROM journal WHERE seq = 10",
            Some(11),
        ),
        (
            "INSERT INTO journal SELECT 0, at_ms, kind, call_id, session, tool, status, body, writer, prev, hash FROM journal WHERE seq = 1",
            Some(1),
        ),
        ("UPDATE journal_tip SET hash = zeroblob(32)", Some(11)),
        ("UPDATE journal_tip SET head_seq = 9", Some(11)),
        ("DELETE FROM journal_tip", Some(11)),
    ];
    for (sql, first_bad) in cases {
        let report = tampered(sql);
        assert_eq!((report.ok, report.first_bad_seq), (false, first_bad), "{sql}: {report:?}");
        assert!(report.problem.is_some());
    }
}

/// A page may also hold stale copies of rows, which are no part of the journal.
#[test]
fn one_flipped_byte_in_the_file_shows() {
    let (home, _folder) = written();
    let bytes = fs::read(home.state_db()).unwrap();
    let needle = b"call-7\",\"session";
    let found = (0..bytes.len() - needle.len()).filter(|at| bytes[*at..].starts_with(needle));
    let shown = found.filter(|at| {
        let mut bytes = bytes.clone();
        bytes[*at] ^= 1;
        fs::write(home.state_db(), bytes).unwrap();
        let report = JournalReader::open(&home).unwrap().verify().unwrap();
        report.first_bad_seq == Some(7)
    });
    assert_eq!(shown.count(), 1);
}

#[test]
fn a_file_of_rubbish_is_an_answer_or_an_error_never_sound() {
    let (home, _folder) = written();
    let mut bytes = fs::read(home.state_db()).unwrap();
    for page in bytes.chunks_mut(4096).skip(1) {
        page[..100].fill(0xa5);
    }
    fs::write(home.state_db(), bytes).unwrap();
    let report = JournalReader::open(&home).and_then(|reader| reader.verify());
    assert!(!report.is_ok_and(|report| report.ok));
}
