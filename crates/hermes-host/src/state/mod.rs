//! What Hermes remembers between calls and between runs: the journal, session state, large results, grants
//! approvals, and what can be made again.

mod approvals;
mod blocking;
mod cache;
mod db;
mod fault;
pub(crate) mod files;
mod grants;
mod journal;
mod options;
mod rates;
mod results;
mod schema;
mod session_state;

pub use approvals::{ApprovalState, NewApproval, Offer, PendingApproval, PendingApprovals};
pub use cache::FileCache;
pub(crate) use fault::{fault, file as file_fault};
pub use grants::{GrantLedger, Revoked};
pub use journal::{EntryKey, JournalEntry, JournalFilter, JournalReader, SqliteJournal, VerifyReport};
pub use options::{Durability, StateOptions};
pub use rates::RateCount;
pub use results::{FileResultStore, MemoryResultStore, ResultLimits};
pub use session_state::{MemorySessionState, SqliteSessionState};
