//! The composition root: from the user's surroundings to a running runtime.

mod build;
mod hooks;
mod policy;
mod settings;
mod surroundings;
mod trust;

pub(crate) use build::App;
pub(crate) use hooks::{HookState, configured_hooks};
pub(crate) use surroundings::{GlobalOptions, Surroundings};
pub(crate) use trust::{TrustStore, digest};
