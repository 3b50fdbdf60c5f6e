//! The binary as its users meet it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod approvals;
mod approvals_at_terminal;
mod config;
mod contributing;
mod execution;
mod exit_codes;
mod explain;
mod explain_guards;
mod explain_patch;
mod fenced;
mod grants;
mod grants_bound;
mod harness;
mod hooks;
mod journal;
mod jsonl;
mod killed;
mod live;
mod log;
mod markdown;
mod mcp;
mod outputs;
mod own_tools;
mod own_tools_guards;
mod pages;
mod policy;
mod run;
mod smart;
mod standing;
mod terminal;
mod tools;
mod two_writers;
mod undo;
mod vacant;
mod walls;
