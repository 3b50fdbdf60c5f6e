//! The file tools where a session's files are on another machine: the same answers as here, and never a silent
//! run here instead.

mod docker;
mod edges;
mod modal;
mod same;
mod sessions;
mod ssh;
