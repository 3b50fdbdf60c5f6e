//! Tools of the user's own. Every source here makes erased tools; how they are called is the runtime's.

mod clash;
mod cut_short;
mod env_need;
mod events;
mod excerpt;
mod kept;
mod own_secrets;
mod own_tools;
mod pattern_budget;
pub mod plugin;
mod registered;
mod schema_check;
mod seen_file;
mod trail;
mod walls;
mod watch;
mod watched;
pub mod yaml;

pub use clash::{clash_text, clashes};
pub use env_need::EnvNeed;
pub use own_secrets::can_be_hidden;
pub use own_tools::{Change, GRACE, OwnTools};
pub use registered::{Registered, RegisteredFile};
pub use watch::Watch;
pub use watched::Watched;
