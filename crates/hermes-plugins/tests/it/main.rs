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

mod agreed_content;
mod bombs;
mod clashes;
mod code_words;
mod commands;
mod consent;
mod cut_short;
mod echoes;
mod followed;
mod injection;
mod mcp;
mod mistakes;
mod odd_files;
mod packaging;
mod payloads;
mod plugins;
mod postgres;
mod properties;
mod python;
mod python_hints;
mod python_loading;
mod python_streams;
mod python_values;
mod reload;
mod requests;
mod support;
