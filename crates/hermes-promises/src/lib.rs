//! What Hermes promises of any input at all, each as a function that stops where its promise is broken. The fuzzer
//! searches for such inputs (`fuzz/run.sh`); the tests here try what it begins with.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "to stop is how a broken promise is told"
)]

pub mod arguments;
pub mod coerce;
pub mod command;
pub mod handles;
mod house;
mod json;
pub mod names;
pub mod normalise;
pub mod redact;
pub mod request;
pub mod sanitise;
pub mod search;
pub mod shell;
pub mod toolsets;
