//! What the keeper and its custodians do: our own binary under another name, before `main`.
//!
//! Code here runs in a process with one thread, a clean environment and no descriptor it did not ask for.
#![allow(unsafe_code, reason = "fork, exec and the calls around them have no safe form")]

mod bytes;
mod circumstances;
mod confine;
mod crew;
mod custodian;
mod descriptors;
mod entry;
mod execute;
mod expected;
mod first;
mod group;
mod image;
mod in_place;
mod lasting;
mod limits;
mod open_files;
mod order;
mod orphans;
mod placeholders;
mod ready;
mod reaper;
mod report;
mod serve;
mod spares;
mod start;
mod stopped;
mod tree;
mod turns;
mod waiting;
mod wanted;

pub(crate) use descriptors::{is_all_taken, send as send_descriptors};
pub(crate) use entry::KEEPER;
pub(crate) use lasting::{END, LET_GO, LogBegins, SOCKET, Word};
pub(crate) use open_files::{allow_all as allow_all_open_files, usual as usual_open_files};
pub(crate) use order::Order;
pub(crate) use placeholders::is_placeholder;
pub(crate) use report::Report;
