//! What the system tools know about environment variables.

pub(super) mod judged;
pub(super) mod names;
mod overlay;
pub(super) mod variables;
