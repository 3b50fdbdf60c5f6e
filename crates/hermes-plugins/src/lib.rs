//! Tools of the user's own. Every source here makes erased tools; how they are called is the runtime's.

mod excerpt;
mod registered;
pub mod yaml;

pub use registered::{Registered, RegisteredFile};
