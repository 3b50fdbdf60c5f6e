//! Changing several files at once: all of them or none.
//!
//! Everything that can fail is done first, beside the files: the folders are locked, the files are compared
//! with what the change was made for, the new contents are written and synced under temporary names. Then
//! names are exchanged one by one, and if one exchange fails the earlier ones are reversed; what is about to happen is
//! written down first, so that after a kill the next process reverses them.

mod change;
mod current;
mod edit;
mod heal;
mod intent;
mod stage;
mod swap;

pub(crate) use change::see;
pub use change::{Change, Committed};
pub use current::Current;
pub(crate) use edit::{Edit, Staged, commit, refuse_doubles};
pub(crate) use intent::Intents;
