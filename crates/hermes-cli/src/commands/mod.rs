//! One file per command.

mod config;
mod dispatch;
mod docs;
mod doctor;
mod explain;
mod hooks;
mod interrupt;
mod journal;
mod jsonl;
mod run;
mod tools;
mod toolsets;

pub(crate) use dispatch::run;
