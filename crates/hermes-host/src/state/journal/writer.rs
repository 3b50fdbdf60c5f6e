//! Who writes the journal: the thread, which turns whatever has queued up into one commit, or a caller who is alone.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hermes_core::ToolError;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::batch::{self, Stamp};
use super::checkpoint::Checkpointer;
use super::record::Row;
use super::writers::Writer;
use crate::clock::Clock;
use crate::state::{db, fault};

/// Rows in one commit at most, and rows that may wait for the next: beyond it, callers wait to hand in.
pub(super) const BATCH: usize = 512;

/// A row and whom to tell.
pub(super) struct Job {
    pub(super) row: Row,
    pub(super) done: oneshot::Sender<Result<(), ToolError>>,
}

/// Who comes so soon after another is one of many: their rows are written together.
const TOGETHER: Duration = Duration::from_micros(30);
/// A disk that takes this long is waited for on the thread.
const SLOW: Duration = Duration::from_millis(2);
/// How many rows are, after it was slow or is about to be.
const MISTRUSTED: usize = 256;

/// What rows are written with. One at a time has it.
pub(super) struct Pen {
    connection: Connection,
    writer: Writer,
    clock: Clock,
    checkpointer: Option<Checkpointer>,
    /// When the last rows were written.
    last: Option<Instant>,
    /// Rows that are not written at once.
    mistrusted: usize,
}

/// Writes until the last sender is gone and the queue is empty.
pub(super) fn run(pen: &Mutex<Pen>, mut jobs: mpsc::Receiver<Job>) {
    let mut batch = Vec::with_capacity(BATCH);
    while jobs.blocking_recv_many(&mut batch, BATCH) > 0 {
        let mut pen = pen.lock().unwrap_or_else(PoisonError::into_inner);
        let result = pen.write(batch.iter().map(|job| &job.row)).map_err(|error| failed(&error));
        drop(pen);
        for job in batch.drain(..) {
            // A caller that went away has no use for the answer; its row is recorded all the same.
            let _ = job.done.send(result.clone());
        }
    }
}

impl Pen {
    pub(super) fn new(
        connection: Connection,
        writer: Writer,
        clock: Clock,
        checkpointer: Option<Checkpointer>,
    ) -> Self {
        Pen { connection, writer, clock, checkpointer, last: None, mistrusted: 0 }
    }

    /// Writes one row if that takes no waiting: nothing is written where another process writes, and nothing is tried
    /// where many write or the disk is slow.
    pub(super) fn write_at_once(&mut self, row: &Row) -> Option<Result<(), ToolError>> {
        if self.mistrusted > 0 {
            self.mistrusted -= 1;
            return None;
        }
        if self.last.is_some_and(|last| last.elapsed() < TOGETHER) {
            return None;
        }
        let begun = Instant::now();
        db::wait_for_others(&mut self.connection, false).ok()?;
        let written = self.write(std::iter::once(row));
        // Where that fails the thread finds it locked sooner than it should, and says so.
        let _ = db::wait_for_others(&mut self.connection, true);
        if begun.elapsed() > SLOW {
            self.mistrusted = MISTRUSTED;
        }
        match written {
            Err(error) if db::is_busy(&error) => None,
            written => Some(written.map_err(|error| failed(&error))),
        }
    }

    fn write<'a>(&mut self, rows: impl Iterator<Item = &'a Row> + Clone) -> rusqlite::Result<()> {
        let stamp = Stamp { writer: &self.writer.id, at_ms: self.clock.now_ms() };
        batch::commit(&self.connection, rows.clone(), stamp)?;
        let asked =
            self.checkpointer.as_mut().map(|thread| thread.committed(rows.map(|row| row.body.len()).sum()));
        if asked == Some(true) {
            // The log begins anew soon, which waits for the disk.
            self.mistrusted = MISTRUSTED;
        }
        self.last = Some(Instant::now());
        Ok(())
    }
}

fn failed(error: &rusqlite::Error) -> ToolError {
    fault::database("the journal could not be written, nothing was recorded", error)
}
