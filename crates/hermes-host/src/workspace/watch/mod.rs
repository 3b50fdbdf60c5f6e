//! Being told when files change.

mod door;
mod pending;

pub use door::Watch;
pub use pending::{ChangeKind, WatchEvent};
