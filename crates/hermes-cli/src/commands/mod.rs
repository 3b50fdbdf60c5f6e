//! One file per command.

mod approvals;
mod config;
mod dispatch;
mod docs;
mod doctor;
mod explain;
mod grants;
mod hooks;
mod interrupt;
mod journal;
mod jsonl;
mod mcp;
mod people;
mod policy;
mod run;
mod tools;
mod toolsets;

pub(crate) use approvals::ApprovalsCommand;
pub(crate) use dispatch::run;
pub(crate) use explain::path::PathArgs;
pub(crate) use explain::url::UrlArgs;
pub(crate) use grants::GrantsCommand;
pub(crate) use mcp::McpCommand;
pub(crate) use policy::PolicyCommand;
