//! One suite over every place where commands can run, each started for real.

mod conformance;
pub(crate) mod docker;
mod local;
mod missing;
pub(crate) mod modal;
mod podman;
mod silent_host;
mod singularity;
pub(crate) mod ssh;
mod ssh_remains;
mod started;
mod strings;
