//! A disk that is full or fails: an error, nothing half written, and work goes on when it can.

use std::io::Write;

use hermes_core::ErrorCode;
use hermes_core::ports::Journal;
use hermes_host::state::{SqliteJournal, StateOptions};
use rustix::process::{Resource, Rlimit, setrlimit};

use super::support::{
    all, append_all, assert_sound, child_of, completed, decision, home, open, runtime, spawn, tell, told,
};

#[tokio::test]
async fn a_full_database_refuses_and_loses_nothing() {
    let (home, _folder) = home();
    let options = StateOptions { max_bytes: Some(200_000), ..StateOptions::default() };
    let journal = SqliteJournal::open(&home, &options).unwrap();
    let mut acknowledged = 0;
    let error = loop {
        match journal.append(decision(&format!("call-{acknowledged}"))).await {
            Ok(()) => acknowledged += 1,
            Err(error) => break error,
        }
    };
    assert_eq!((error.code, error.retryable), (ErrorCode::Internal, false));
    assert_eq!(error.message, "the journal could not be written, nothing was recorded: the disk is full");
    assert!(journal.append(decision("again")).await.is_err(), "still full, still answering");
    assert_eq!(all(&home).len(), acknowledged);
    assert_sound(&home);
    journal.close();

    let roomy = open(&home);
    assert_eq!(roomy.recovered(), acknowledged);
    append_all(&roomy, [completed("after")]).await;
    assert_eq!(all(&home).last().unwrap().call_id, "after");
    assert_sound(&home);
}

fn limit_file_size(bytes: Option<u64>) {
    setrlimit(Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
}

/// The kernel refuses to let any file grow, then allows it again, under a running journal.
#[test]
#[ignore = "a child of the test below"]
fn child_runs_out_of_space_for_a_while() {
    let Some((home, _)) = child_of() else { return };
    runtime().block_on(async {
        let journal = open(&home);
        append_all(&journal, (0..20).map(|number| completed(&format!("before-{number}")))).await;
        let log = home.root().join("state.db-wal").metadata().unwrap().len();
        for round in 0..10 {
            // At a different place within a commit each time.
            limit_file_size(Some(log + 1_000 * round));
            let mut refused = 0;
            for number in 0..20 {
                let id = format!("during-{round}-{number}");
                match journal.append(completed(&id)).await {
                    Ok(()) => tell(&format!("ack {id}")),
                    Err(error) => {
                        assert_eq!((error.code, error.retryable), (ErrorCode::Internal, false));
                        refused += 1;
                    }
                }
            }
            limit_file_size(None);
            assert!(refused > 0, "the limit was felt");
            append_all(&journal, [completed(&format!("after-{round}"))]).await;
            tell(&format!("ack after-{round}"));
        }
        tell("end");
        std::io::stdout().flush().unwrap();
        journal.close();
    });
}

#[test]
fn when_space_returns_the_journal_goes_on() {
    let (home, _folder) = home();
    let mut child = spawn("journal::faults::child_runs_out_of_space_for_a_while", &home, "c");
    let lines: Vec<_> = told(&mut child).collect();
    assert!(child.wait().unwrap().success());
    assert_eq!(lines.last().map(String::as_str), Some("end"));
    let acknowledged: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("ack ")).collect();
    let recorded: Vec<_> = all(&home).into_iter().skip(20).map(|entry| entry.call_id).collect();
    assert_eq!(recorded, acknowledged, "what was refused is not there, what was acknowledged is");
    assert_sound(&home);
}

#[tokio::test]
async fn a_home_that_cannot_be_written_is_an_error() {
    let (home, _folder) = home();
    std::fs::write(home.root(), "a file where the folder should be").unwrap();
    let error = SqliteJournal::open(&home, &StateOptions::default()).err().unwrap();
    assert_eq!(error.code, ErrorCode::Internal);
    assert!(!error.message.contains("tmp"), "paths are for the operator: {}", error.message);
}
