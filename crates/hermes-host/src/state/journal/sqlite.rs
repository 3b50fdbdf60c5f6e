//! The journal in `state.db`.

use std::sync::{Arc, Mutex, Weak};
use std::thread::JoinHandle;

use futures_util::future::BoxFuture;
use hermes_core::ToolError;
use hermes_core::ports::{Journal, JournalRecord};
use tokio::sync::{mpsc, oneshot};

use super::batch::Stamp;
use super::checkpoint::Checkpointer;
use super::record::Row;
use super::recovery;
use super::writer::{BATCH, Job, Pen, run};
use super::writers::Registry;
use crate::home::Home;
use crate::state::options::{Durability, StateOptions};
use crate::state::{db, fault};

/// A writer of the journal. Several processes may have one each on the same file.
pub struct SqliteJournal {
    /// The thread's own, which closes it.
    pen: Weak<Mutex<Pen>>,
    /// A row that waits for the disk waits on the thread.
    flushes: bool,
    jobs: mpsc::Sender<Job>,
    thread: JoinHandle<()>,
    recovered: usize,
}

impl SqliteJournal {
    /// Opens the journal, creating it where needed, and records `outcome_unknown` for calls whose process
    /// died on them. Touches the disk: not for async threads.
    pub fn open(home: &Home, options: &StateOptions) -> Result<Self, ToolError> {
        let broken = |error: std::io::Error| fault::file("the journal could not be opened", &error);
        let unusable = |error: rusqlite::Error| fault::database("the journal could not be opened", &error);
        home.ensure()?;
        let registry = Registry::enter(&home.writers_dir()).map_err(broken)?;
        let living = registry.living().map_err(broken)?;
        let writer = registry.register().map_err(broken)?;
        let connection = db::open(&home.state_db(), options).map_err(unusable)?;
        let stamp = Stamp { writer: &writer.id, at_ms: options.clock.now_ms() };
        let recovered = recovery::run(&connection, &living, stamp)?;
        drop(registry);

        let checkpointer = Checkpointer::start(&home.state_db(), options);
        if checkpointer.is_some() {
            connection.pragma_update(None, "wal_autocheckpoint", 0).map_err(unusable)?;
        }
        let pen = Pen::new(connection, writer, options.clock.clone(), checkpointer);
        let pen = Arc::new(Mutex::new(pen));
        let (lent, flushes) = (Arc::downgrade(&pen), options.durability == Durability::Power);
        let (jobs, queue) = mpsc::channel(BATCH);
        let thread = std::thread::Builder::new()
            .name("hermes-journal".to_owned())
            .spawn(move || run(&pen, queue))
            .map_err(broken)?;
        Ok(SqliteJournal { pen: lent, flushes, jobs, thread, recovered })
    }

    /// Writes a row here and now, where nobody else writes: to wake the thread and be woken by it takes longer. Nothing
    /// where it has to wait for its turn.
    fn at_once(&self, row: &Row) -> Option<Result<(), ToolError>> {
        let is_first = self.jobs.capacity() == self.jobs.max_capacity();
        if self.flushes || !is_first {
            return None;
        }
        self.pen.upgrade()?.try_lock().ok()?.write_at_once(row)
    }

    /// How many calls of dead processes this opening found and marked.
    pub fn recovered(&self) -> usize {
        self.recovered
    }

    /// Waits until everything handed in is written and the files are closed. Dropping the journal does
    /// the same without waiting.
    pub fn close(self) {
        drop(self.jobs);
        // The thread ends by itself; that it panicked would have been reported by its callers.
        let _ = self.thread.join();
    }
}

impl Journal for SqliteJournal {
    fn append(&self, record: JournalRecord) -> BoxFuture<'_, Result<(), ToolError>> {
        Box::pin(async move {
            let row = Row::new(record)?;
            if let Some(written) = self.at_once(&row) {
                return written;
            }
            let (done, acknowledged) = oneshot::channel();
            self.jobs.send(Job { row, done }).await.map_err(|_| gone())?;
            acknowledged.await.map_err(|_| gone())?
        })
    }
}

fn gone() -> ToolError {
    ToolError::internal("the journal is closed, nothing was recorded")
}
