//! The thread that owns the journal's connection and turns whatever has queued up into one commit.

use hermes_core::ToolError;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::batch::{self, Stamp};
use super::checkpoint::Checkpointer;
use super::record::Row;
use super::writers::Writer;
use crate::clock::Clock;
use crate::state::fault;

/// Rows in one commit at most, and rows that may wait for the next: beyond it, callers wait to hand in.
pub(super) const BATCH: usize = 512;

/// A row and whom to tell.
pub(super) struct Job {
    pub(super) row: Row,
    pub(super) done: oneshot::Sender<Result<(), ToolError>>,
}

/// Everything the thread owns.
pub(super) struct Pen {
    pub(super) connection: Connection,
    pub(super) writer: Writer,
    pub(super) clock: Clock,
    pub(super) checkpointer: Option<Checkpointer>,
}

impl Pen {
    /// Writes until the last sender is gone and the queue is empty.
    pub(super) fn run(mut self, mut jobs: mpsc::Receiver<Job>) {
        let mut batch = Vec::with_capacity(BATCH);
        while jobs.blocking_recv_many(&mut batch, BATCH) > 0 {
            let result = self.write(&batch);
            for job in batch.drain(..) {
                // A caller that went away has no use for the answer; its row is recorded all the same.
                let _ = job.done.send(result.clone());
            }
        }
    }

    fn write(&mut self, batch: &[Job]) -> Result<(), ToolError> {
        let stamp = Stamp { writer: &self.writer.id, at_ms: self.clock.now_ms() };
        batch::commit(&self.connection, batch.iter().map(|job| &job.row), stamp).map_err(|error| {
            fault::database("the journal could not be written, nothing was recorded", &error)
        })?;
        if let Some(checkpointer) = &mut self.checkpointer {
            checkpointer.committed(batch.iter().map(|job| job.row.body.len()).sum());
        }
        Ok(())
    }
}
