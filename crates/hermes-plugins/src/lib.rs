//! Tools of the user's own. Every source here makes erased tools; how they are called is the runtime's.

mod excerpt;
mod own_tools;
pub mod plugin;
mod registered;
mod watch;
pub mod yaml;

pub use own_tools::{Change, GRACE, OwnTools};
pub use registered::{Registered, RegisteredFile};
pub use watch::Watch;
