//! The runtime as its callers meet it: whole calls through whole sessions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

// The built-in tools register themselves only if their crate is named.
use hermes_tools as _;

mod availability;
mod batch;
mod batch_order;
mod catalog;
mod config;
mod hooks;
mod journal;
mod lifecycle;
mod listing;
mod many_names;
mod pipeline;
mod plan;
mod registry;
mod repeats;
mod results;
mod scope;
mod secrets;
mod stopping;
mod tool_search;
mod toolsets;
mod wire;
