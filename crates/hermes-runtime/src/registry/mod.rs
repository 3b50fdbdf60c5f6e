//! All tools of a process, by owner. Readers hold immutable snapshots, so a running call keeps the tool
//! it started with whatever is registered, replaced or removed meanwhile.

mod change;
mod entry;
mod snapshot;
mod store;
mod uses;

pub use change::{Refused, RegistryError, Set, SyncReport};
pub use entry::Entry;
pub(crate) use entry::{Checker, compile};
pub use snapshot::Snapshot;
pub use store::RESERVED;
pub use store::Registry;
