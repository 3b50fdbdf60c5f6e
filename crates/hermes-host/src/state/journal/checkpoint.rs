//! Moves the write-ahead log into the database on a thread of its own, so that no caller waits for the
//! disk flushes this needs.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;

use crate::state::db;
use crate::state::options::StateOptions;

/// Pages of log after which it is worth the trouble (16 MiB).
const WORTH: usize = 4_000;

/// Pages a commit writes besides full ones: the last page of the journal, and its tip.
const PAGES_PER_COMMIT: usize = 2;

const BYTES_PER_PAGE: usize = 4_000;

/// Counts what the writer appends and wakes the thread when there is enough.
pub(super) struct Checkpointer {
    /// Both are there until the end.
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    pages: usize,
}

impl Checkpointer {
    /// `None` if there is no second connection to be had; SQLite then checkpoints within commits.
    pub(super) fn start(path: &Path, options: &StateOptions) -> Option<Checkpointer> {
        let connection = db::open(path, options).ok()?;
        // Short: it holds the write lock while it waits for readers.
        connection.busy_timeout(Duration::from_millis(20)).ok()?;
        let (wake, woken) = sync_channel(1);
        let thread = std::thread::Builder::new()
            .name("hermes-checkpoint".to_owned())
            .spawn(move || work(&connection, &woken))
            .ok()?;
        Some(Checkpointer { wake: Some(wake), thread: Some(thread), pages: 0 })
    }

    /// Called after a commit that wrote rows of `bytes` together. Whether the thread was woken.
    pub(super) fn committed(&mut self, bytes: usize) -> bool {
        self.pages += PAGES_PER_COMMIT + bytes / BYTES_PER_PAGE;
        // If the thread is still at work on the last request, the next commit asks again.
        let woken = self.pages >= WORTH && self.wake.as_ref().is_some_and(|wake| wake.try_send(()).is_ok());
        if woken {
            self.pages = 0;
        }
        woken
    }
}

impl Drop for Checkpointer {
    /// Waits for the thread, so that a closed journal has closed its files.
    fn drop(&mut self) {
        self.wake = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// The first step does the bulk while others write; the second takes the write lock for the little that
/// came meanwhile, so that the log starts over instead of growing. A failure (a full disk, a reader that
/// stays long) loses nothing: the log is still there, and the next request tries again.
fn work(connection: &Connection, woken: &Receiver<()>) {
    while woken.recv().is_ok() {
        for step in ["PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(RESTART)"] {
            let _ = connection.query_row(step, (), |_| Ok(()));
        }
    }
}
