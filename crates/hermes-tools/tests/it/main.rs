//! Behaviour of the built-in tools, seen through the runtime as a caller sees it.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests look at the world from outside, and a surprise must stop them"
)]

use hermes_tools as _;

mod access;
mod code_execution;
mod file;
mod house;
mod results;
mod support;
mod system;
mod terminal;
mod todo;
