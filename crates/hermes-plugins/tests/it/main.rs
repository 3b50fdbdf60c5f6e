//! The one integration-test binary of `hermes-plugins`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "a test that panics has done its work"
)]

mod bombs;
mod clashes;
mod commands;
mod consent;
mod injection;
mod mcp;
mod mistakes;
mod packaging;
mod payloads;
mod plugins;
mod postgres;
mod properties;
mod python;
mod python_values;
mod reload;
mod requests;
mod support;
