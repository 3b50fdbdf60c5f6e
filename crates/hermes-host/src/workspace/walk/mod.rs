//! Looking at everything below a folder, on several threads, by handle and without following links.

mod folder;
mod queue;
mod visit;
mod walker;

pub(super) use visit::reason;
pub use visit::{Visit, Visitor, WalkedFile};
pub use walker::{WalkOptions, Walked};
