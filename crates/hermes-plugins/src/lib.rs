//! Tools of the user's own. Every source here makes erased tools; how they are called is the runtime's.

mod env_need;
mod excerpt;
mod own_tools;
pub mod plugin;
mod registered;
mod walls;
mod watch;
pub mod yaml;

pub use env_need::EnvNeed;
pub use own_tools::{Change, GRACE, OwnTools};
pub use registered::{Registered, RegisteredFile};
pub use watch::Watch;
