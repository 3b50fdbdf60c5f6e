//! The configuration as types: one file per theme, doc comments are the documentation of the keys.

mod approvals;
mod availability;
mod config;
mod dangerous_pattern;
mod hooks;
mod journal;
mod limits;
mod mcp;
mod permissions;
mod plugins;
mod provider;
mod repeat_guard;
mod results;
mod security;
mod tools;
mod toolsets;

pub use approvals::{ApprovalMode, Approvals, SmartApproval};
pub use availability::Availability;
pub use config::Config;
pub use dangerous_pattern::{DangerousClass, DangerousPattern};
pub(super) use hooks::full_match;
pub use hooks::{Hook, Hooks, OnFailure};
pub use journal::{Durability, Journal};
pub use limits::Limits;
pub use mcp::McpServer;
pub use permissions::Permissions;
pub use plugins::{PluginEntry, Plugins};
pub use provider::Provider;
pub use repeat_guard::RepeatGuard;
pub use results::Results;
pub use security::Security;
pub use tools::{Naming, Tools};
pub use toolsets::CustomToolset;
