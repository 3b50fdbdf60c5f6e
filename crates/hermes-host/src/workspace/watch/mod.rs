//! Being told when files change.

mod attach;
mod door;
mod keeper;
mod known;
mod pending;
mod shared;
mod single;
mod subject;

pub use door::Watch;
pub use pending::{ChangeKind, WatchEvent};
