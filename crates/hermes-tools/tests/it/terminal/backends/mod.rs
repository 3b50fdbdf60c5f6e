//! One suite over every place where commands can run, each started for real.

mod conformance;
mod docker;
mod missing;
mod ssh;
mod started;
