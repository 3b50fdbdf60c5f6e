//! For tests only: a whole runtime on a temporary workspace, with scripted approvers and made-up tools.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken fixture must stop the test"
)]

mod approver;
mod bombs;
mod builder;
mod growth;
mod runtime;
mod tool;
mod web;

pub use approver::ScriptedApprover;
pub use bombs::yaml_bombs;
pub use builder::TestRuntimeBuilder;
pub use growth::grows_in_proportion;
pub use hermes_runtime::toolsets::Selection;
pub use runtime::{TestRuntime, TestSession};
pub use tool::FnTool;
pub use web::{Answer, Seen, WebServer};
