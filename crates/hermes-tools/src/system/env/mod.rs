//! What the system tools know about environment variables.

pub(super) mod names;
pub(super) mod variables;
