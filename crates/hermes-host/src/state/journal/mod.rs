//! The append-only record of decisions and outcomes: one hash chain, whoever writes it.

mod batch;
mod chain;
mod checkpoint;
mod escape;
mod read;
mod record;
mod recovery;
mod sqlite;
mod verify;
mod writer;
mod writers;

pub use read::{EntryKey, JournalEntry, JournalFilter, JournalReader};
pub use sqlite::SqliteJournal;
pub use verify::VerifyReport;
