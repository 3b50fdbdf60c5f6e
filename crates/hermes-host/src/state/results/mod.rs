//! The store behind `hermes://result/<id>`: large results by content, for the session that made them.

mod file_store;
mod id;
mod limits;
mod memory;
mod prune;
mod recent;

pub use file_store::FileResultStore;
pub use limits::ResultLimits;
pub use memory::MemoryResultStore;
