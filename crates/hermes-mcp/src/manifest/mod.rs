//! What is known of a server without starting it: the tools it showed last, and those the user agreed to.

mod agreed;
mod change;
mod definition;
mod prompt;
mod record;
mod store;

pub use agreed::Agreed;
pub use change::{Change, OtherServer, Verdict};
pub use definition::{Identity, Listed, Manifest, ToolDef};
pub use record::Record;
pub use store::ManifestStore;
pub(crate) use store::{Stamp, stamp};
