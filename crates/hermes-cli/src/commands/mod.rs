//! One file per command.

mod approvals;
mod backends;
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
mod people;
mod plugins;
mod policy;
mod ps;
mod run;
mod sandbox;
mod setup;
mod tool;
mod tools;
mod toolsets;
mod undo;

pub(crate) use approvals::ApprovalsCommand;
pub(crate) use dispatch::run;
pub(crate) use explain::command::CommandArgs;
pub(crate) use explain::path::PathArgs;
pub(crate) use explain::url::UrlArgs;
pub(crate) use grants::GrantsCommand;
pub(crate) use plugins::PluginsCommand;
pub(crate) use policy::PolicyCommand;
pub(crate) use setup::SetupArgs;
pub(crate) use tool::ToolCommand;
pub(crate) use tools::{LintArgs, SearchArgs, SearchEvalArgs};
pub(crate) use undo::UndoArgs;
