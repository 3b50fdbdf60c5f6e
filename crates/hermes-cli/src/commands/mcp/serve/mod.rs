//! `hermes mcp serve`: a session of Hermes for any MCP client.

mod announce;
mod run;
mod session;

pub(super) use run::run;
