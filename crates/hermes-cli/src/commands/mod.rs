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
mod policy;
mod ps;
mod run;
mod sandbox;
mod tools;
mod toolsets;

pub(crate) use approvals::ApprovalsCommand;
pub(crate) use dispatch::run;
pub(crate) use explain::path::PathArgs;
pub(crate) use explain::url::UrlArgs;
pub(crate) use grants::GrantsCommand;
pub(crate) use policy::PolicyCommand;
