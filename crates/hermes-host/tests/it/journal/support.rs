//! Records to append, and child processes that append them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use hermes_core::ports::{Journal, JournalCall, JournalOutcome, JournalRecord};
use hermes_core::{Access, Decision, Verdict};
use hermes_host::home::Home;
use hermes_host::state::{JournalEntry, JournalFilter, JournalReader, SqliteJournal, StateOptions};
use serde_json::json;

/// Names the home for a test that plays the child.
const CHILD_HOME: &str = "HERMES_TEST_CHILD_HOME";
const CHILD_NAME: &str = "HERMES_TEST_CHILD_NAME";

pub(super) fn call(id: &str) -> JournalCall {
    JournalCall {
        call_id: id.to_owned(),
        session: "session-1".to_owned(),
        actor: "user".to_owned(),
        tool: "write_file".to_owned(),
        arguments: json!({"path": "/w/notes.txt", "content": "some text that a model would write"}),
        arguments_sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855".to_owned(),
        access: vec![Access::write_path("/w/notes.txt")],
    }
}

pub(super) fn verdict(verdict: Verdict) -> Decision {
    Decision::new(verdict, "default", "the workspace may be written")
}

pub(super) fn decision(id: &str) -> JournalRecord {
    JournalRecord::Decision { call: call(id), decision: verdict(Verdict::Allow) }
}

pub(super) fn success() -> JournalOutcome {
    JournalOutcome { status: "success".to_owned(), error: None, duration_us: 42, result_chars: 7 }
}

pub(super) fn outcome(id: &str) -> JournalRecord {
    let JournalCall { call_id, session, tool, .. } = call(id);
    JournalRecord::Outcome { call_id, session, tool, outcome: success() }
}

pub(super) fn completed(id: &str) -> JournalRecord {
    JournalRecord::Completed { call: call(id), decision: verdict(Verdict::Allow), outcome: success() }
}

pub(super) fn home() -> (Home, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Home::at(folder.path().join("home")), folder)
}

pub(super) fn open(home: &Home) -> SqliteJournal {
    SqliteJournal::open(home, &StateOptions::default()).unwrap()
}

pub(super) fn all(home: &Home) -> Vec<JournalEntry> {
    JournalReader::open(home).unwrap().list(&JournalFilter::default()).unwrap()
}

pub(super) fn assert_sound(home: &Home) {
    let report = JournalReader::open(home).unwrap().verify().unwrap();
    assert!(report.ok, "{report:?}");
}

pub(super) async fn append_all(journal: &SqliteJournal, records: impl IntoIterator<Item = JournalRecord>) {
    for record in records {
        journal.append(record).await.unwrap();
    }
}

/// Runs the test called `name` of this very binary in another process, on this home.
pub(super) fn spawn(test: &str, home: &Home, name: &str) -> Child {
    let mut command = Command::new("sh");
    // A write beyond a file size limit then fails instead of ending the process.
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
    command.args(["--exact", "--include-ignored", "--nocapture", test]);
    command.env(CHILD_HOME, home.root()).env(CHILD_NAME, name);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// The home and name of a test that was started by [`spawn`]; none if it was not.
pub(super) fn child_of() -> Option<(Home, String)> {
    Some((Home::at(std::env::var_os(CHILD_HOME)?), std::env::var(CHILD_NAME).ok()?))
}

/// Tells the parent, past the test harness.
pub(super) fn tell(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("@{line}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

/// What the child tells from now on, until it ends.
pub(super) fn told(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).filter_map(|line| Some(line.split_once('@')?.1.to_owned()))
}

pub(super) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}
