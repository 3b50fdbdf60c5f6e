//! `hermes mcp`: servers whose tools are used, and Hermes as a server.

mod add;
mod args;
mod catalog;
mod config_text;
mod dispatch;
mod import;
mod list;
mod login;
mod logs;
mod scan;
mod serve;
mod test;
mod trust;
mod yaml;

pub(crate) use args::McpCommand;
pub(crate) use dispatch::run;
