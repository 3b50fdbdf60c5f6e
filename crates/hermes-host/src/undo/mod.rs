//! What files were before tools changed them, so that a change can be taken back.
//!
//! The doors of [`crate::workspace`] write a record before they touch anything: which call, which files,
//! what was in them and what will be. A record is never changed afterwards. Whether its change happened,
//! was taken back or was overtaken by others shows when the files are compared with it.

mod apply;
mod find;
mod history;
mod objects;
mod plan;
mod prune;
mod record;
mod store;
#[cfg(test)]
mod tests;

pub use apply::Undone;
pub use find::Turn;
pub use history::History;
pub use plan::{PlannedFile, UndoPlan};
pub(crate) use record::{Before, Touch};
pub use record::{FileState, MadeFolder, UndoFile, UndoRecord};
pub(crate) use store::Remembered;
pub use store::{UndoLimits, UndoStore};
