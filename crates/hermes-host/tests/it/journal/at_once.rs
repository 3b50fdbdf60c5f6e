//! Who is alone writes without waking anybody, and nobody waits for others but the thread that is there to wait.

use futures_util::poll;
use hermes_core::ports::Journal;

use super::support::{all, assert_sound, completed, home, open};

#[tokio::test]
async fn who_is_alone_writes_at_once_and_others_take_turns() {
    let (home, _folder) = home();
    let journal = open(&home);
    assert!(poll!(journal.append(completed("first"))).is_ready(), "no thread is woken");
    assert_eq!(all(&home).len(), 1);

    let other = rusqlite::Connection::open(home.state_db()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut waiting = ["second", "third"].map(|id| journal.append(completed(id)));
    for append in &mut waiting {
        assert!(poll!(append).is_pending());
    }
    assert_eq!(all(&home).len(), 1);
    other.execute_batch("COMMIT").unwrap();
    for append in waiting {
        append.await.unwrap();
    }
    journal.close();
    let mut written: Vec<String> = all(&home).into_iter().map(|entry| entry.call_id).collect();
    written.sort();
    assert_eq!(written, ["first", "second", "third"]);
    assert_sound(&home);
}
