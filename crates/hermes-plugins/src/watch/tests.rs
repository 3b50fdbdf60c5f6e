//! What wakes whoever watches, and what does not.

use std::io::Write;

use hermes_core::ports::{Journal, JournalCall, JournalOutcome, JournalRecord};
use hermes_core::{Decision, Verdict};
use hermes_host::home::Home;
use hermes_host::state::{SqliteJournal, StateOptions};
use serde_json::json;

use super::*;

impl Watch {
    /// How often the kernel has told anything since it was last asked, whether it mattered or not. It tells before the
    /// call returns that made the change, so there is nothing to wait for.
    fn heard(&mut self) -> usize {
        self.events.take(|_, _| false).unwrap();
        std::mem::take(&mut self.events.heard)
    }
}

fn watching(file: &Path) -> Watch {
    let mut watch = Watch::new().unwrap();
    let mut watched = Watched::default();
    watched.file(file);
    assert!(watch.set(watched));
    watch
}

/// A call as the journal takes it: what was decided before it runs, what came of it before it is answered.
async fn call(journal: &SqliteJournal, number: usize) {
    let call = JournalCall {
        call_id: format!("call-{number}"),
        session: "main".to_owned(),
        actor: "user".to_owned(),
        tool: "t".to_owned(),
        arguments: json!({}),
        arguments_sha256: String::new(),
        access: Vec::new(),
    };
    let (call_id, session, tool) = (call.call_id.clone(), call.session.clone(), call.tool.clone());
    let decision = Decision::new(Verdict::Allow, "default", "it may");
    journal.append(JournalRecord::Decision { call, decision }).await.unwrap();
    let outcome =
        JournalOutcome { status: "success".to_owned(), error: None, duration_us: 1, result_chars: 1 };
    journal.append(JournalRecord::Outcome { call_id, session, tool, outcome }).await.unwrap();
}

/// The folder of the user's files is that of the journal.
#[tokio::test]
async fn a_call_in_the_journal_wakes_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::at(folder.path().join("home"));
    let journal = SqliteJournal::open(&home, &StateOptions::default()).unwrap();
    call(&journal, 0).await;
    let mut watch = watching(&home.config_file());
    // What others do in the folders above is theirs.
    for above in home.root().ancestors().skip(1) {
        watch.events.unwatch(above);
    }
    watch.heard();
    for number in 1..50 {
        call(&journal, number).await;
    }
    assert_eq!(watch.heard(), 0);
    std::fs::write(home.config_file(), "{}").unwrap();
    assert!(watch.heard() > 0);
    journal.close();
}

#[tokio::test]
async fn a_file_is_told_when_it_is_closed_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (folder.path().join("tools.yaml"), folder.path().join("other"));
    let mut watch = watching(&file);
    let concerns = |watch: &mut Watch| {
        let (events, watched) = (&mut watch.events, &watch.watched);
        events.take(|folder, name| watched.concerns(folder, name)).unwrap()
    };
    let mut half = std::fs::File::create(&file).unwrap();
    assert!(concerns(&mut watch), "it came");
    half.write_all(b"half").unwrap();
    assert!(!concerns(&mut watch));
    drop(half);
    assert!(concerns(&mut watch), "it is whole");
    std::fs::write(&other, "x").unwrap();
    assert!(!concerns(&mut watch));
    for change in [
        &|| std::fs::rename(&other, &file) as std::io::Result<()>,
        &|| std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)),
        &|| std::fs::rename(&file, &other),
        &|| std::os::unix::fs::symlink("other", &file),
        &|| std::fs::remove_file(&file),
    ] as [&dyn Fn() -> std::io::Result<()>; 5]
    {
        change().unwrap();
        assert!(concerns(&mut watch));
    }
}
