//! The binary as its users meet it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod config;
mod contributing;
mod exit_codes;
mod explain;
mod harness;
mod hooks;
mod journal;
mod jsonl;
mod markdown;
mod pages;
mod run;
mod tools;
