//! One suite over every place where commands can run, each started for real.

mod conformance;
pub(crate) mod docker;
mod missing;
pub(crate) mod ssh;
mod started;
