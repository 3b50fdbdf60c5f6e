//! From the subcommand to its function.

use std::sync::Arc;

use hermes_core::text::visible;
use hermes_mcp::{Desk, Hub, Server};

use super::{McpCommand, add, catalog, import, list, login, logs, scan, serve, test, trust};
use crate::app::{GlobalOptions, Servers, Surroundings};
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

/// Nobody is configured under this name.
pub(super) fn unknown(surroundings: &Surroundings, name: &str) -> Failure {
    let known: Vec<String> = surroundings.config().mcp_servers.keys().map(|name| visible(name)).collect();
    let failure = Failure::usage(format!("there is no MCP server '{}'", visible(name)));
    match known.is_empty() {
        true => failure.with_hint("'hermes mcp add' adds one."),
        false => failure.with_hint(format!("There are: {}", known.join(", "))),
    }
}

/// One of them.
pub(super) fn server(hub: &Hub, name: &str, surroundings: &Surroundings) -> Result<Arc<Server>, Failure> {
    hub.server(name).ok_or_else(|| {
        let shown = visible(name);
        let file = surroundings.home.config_file();
        match surroundings.config().mcp_servers.get(name) {
            None => unknown(surroundings, name),
            Some(server) if !server.enabled => Failure::usage(format!(
                "MCP server '{shown}' is switched off"
            ))
            .with_hint(format!("'enabled: true' in mcp_servers.{shown} of {} turns it on.", file.display())),
            Some(_) => {
                let reason = Servers::of(surroundings).wrong.remove(name);
                let reason = reason.unwrap_or_else(|| "it is left out".to_owned());
                Failure::usage(format!("MCP server '{shown}' cannot be used: {reason}"))
                    .with_hint(format!("Change it in {}.", file.display()))
            }
        }
    })
}
