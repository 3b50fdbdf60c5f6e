//! What is known of a server without starting it: the tools it showed last, and those the user agreed to.

mod change;
mod definition;
mod record;
mod store;

pub use change::{Change, Verdict};
pub use definition::{Identity, Listed, Manifest, ToolDef};
pub use record::Record;
pub use store::ManifestStore;
pub(crate) use store::{Stamp, stamp};
