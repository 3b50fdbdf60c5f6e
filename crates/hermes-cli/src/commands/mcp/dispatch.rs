//! From the subcommand to its function.

use std::sync::Arc;

use hermes_mcp::{Desk, Hub, Server};

use super::{McpCommand, add, catalog, import, list, login, logs, scan, serve, test, trust};
use crate::app::{GlobalOptions, Surroundings};
use crate::failure::{Failure, exit};
use crate::render::Style;

pub(crate) async fn run(
    command: McpCommand,
    surroundings: Surroundings,
    options: &GlobalOptions,
    style: Style,
) -> Result<u8, Failure> {
    let json = options.json;
    match command {
        McpCommand::Add(args) => add::add(args, &surroundings, options, style).await?,
        McpCommand::Remove { name } => add::remove(&name, &surroundings, style)?,
        McpCommand::List => list::run(&surroundings, json, style)?,
        McpCommand::Catalog => catalog::run(&surroundings, json, style)?,
        McpCommand::Test { name } => test::run(&name, &surroundings, json, style).await?,
        McpCommand::Trust(args) => trust::run(&args, &surroundings, json, style)?,
        McpCommand::Logs { name, lines } => logs::run(&name, lines, &surroundings)?,
        McpCommand::Import(args) => import::run(&args, &surroundings, style)?,
        McpCommand::Scan { file } => scan::run(&file)?,
        McpCommand::Login { name, forget } => login::run(&name, forget, &surroundings, style).await?,
        McpCommand::Serve(args) => return serve::run(args, surroundings, style).await,
    }
    Ok(exit::OK)
}

/// The servers that are switched on, none of them started, and nobody to ask.
pub(super) fn hub(surroundings: &Surroundings) -> Result<Hub, Failure> {
    crate::app::hub(surroundings, Desk::default())
}

/// One of them.
pub(super) fn server(hub: &Hub, name: &str) -> Result<Arc<Server>, Failure> {
    hub.server(name).ok_or_else(|| {
        let known: Vec<String> = hub.servers().iter().map(|server| server.config().name.clone()).collect();
        let failure = Failure::usage(format!("no MCP server '{name}' is switched on"));
        match known.is_empty() {
            true => failure.with_hint("'hermes mcp add' adds one."),
            false => failure.with_hint(format!("There are: {}", known.join(", "))),
        }
    })
}
