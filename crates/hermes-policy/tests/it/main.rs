//! Policy rules against tables and a reference evaluator.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod command;
mod levels;
mod paths;
mod profile;
mod rules;
mod shell;
mod urls;
