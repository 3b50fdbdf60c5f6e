//! The binary as its users meet it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod approvals;
mod config;
mod contributing;
mod exit_codes;
mod explain;
mod explain_guards;
mod grants;
mod harness;
mod hooks;
mod journal;
mod jsonl;
mod markdown;
mod mcp;
mod pages;
mod policy;
mod run;
mod terminal;
mod tools;
