//! The composition root: from the user's surroundings to a running runtime.

mod agreeing;
mod approver;
mod build;
mod hook_answer;
mod hook_matchers;
mod hooks;
mod mcp;
mod mcp_changes;
mod mcp_meeting;
mod own_tools;
mod plugin_hooks;
mod policy;
mod questions;
mod reopening;
mod resuming;
mod settings;
mod surroundings;
mod trust;
pub(crate) mod user_config;

pub(crate) use agreeing::agrees;
pub(crate) use approver::{
    Allowlist, Judge, Named, Reach, SMART_EVENT, Subject, Terms, duration, script_files,
};
pub(crate) use build::{App, registry};
pub(crate) use hook_matchers::{fitting, idle_matchers};
pub(crate) use hooks::{HookState, configured_hooks, missing_program, program_digest};
pub(crate) use mcp::{Servers, check_name, check_server, hub};
pub(crate) use mcp_meeting::Meeting;
pub(crate) use policy::{
    Folders, PolicyMaker, PolicyText, ProjectPolicy, dangerous_commands, ground, ground_of, project_policy,
};
pub(crate) use settings::{NO_MCP, backend, selection, toolsets};
pub(crate) use surroundings::{GlobalOptions, Surroundings};
pub(crate) use trust::{TrustStore, digest};
