//! The one integration-test binary of `hermes-host`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "a test that panics has done its work"
)]

mod ahead;
mod approvals;
mod bounds;
mod children;
mod custodians;
mod env_file;
mod escapes;
mod files;
mod grants;
mod home;
mod hostile;
mod http;
mod journal;
mod process;
mod redact;
mod results;
mod sandbox;
mod secrets;
mod session_state;
mod tls;
mod turned;
