//! MCP servers in the composition root: from configuration to tools in the registry.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hermes_core::{Source, names};
use hermes_mcp::{
    Allowed, Desk, Endpoint, Hub, HubParts, Login, Server, ServerConfig, ServerSource, ToolFilter,
};
use hermes_runtime::Runtime;
use hermes_runtime::config::{McpServer, McpTransport};
use hermes_runtime::registry::Registry;

use super::build::App;
use super::surroundings::Surroundings;
use crate::failure::Failure;
use crate::render::{ColorChoice, Style, warn};

/// The servers that are switched on.
fn server_configs(surroundings: &Surroundings) -> Result<Vec<ServerConfig>, Failure> {
    let servers = &surroundings.config().mcp_servers;
    let on = servers.iter().filter(|(_, server)| server.enabled);
    on.map(|(name, server)| server_config(name, server, surroundings)).collect()
}

fn server_config(
    name: &str,
    server: &McpServer,
    surroundings: &Surroundings,
) -> Result<ServerConfig, Failure> {
    // The name becomes part of file names, tool names and permissions.
    if !names::is_valid(name) || name.starts_with('.') || name.len() > 40 {
        return Err(Failure::usage(format!(
            "mcp_servers: '{name}' is no name for a server: use 1 to 40 letters, digits, '_', '-' or '.'"
        )));
    }
    Ok(ServerConfig {
        name: name.to_owned(),
        endpoint: endpoint(name, server, surroundings)?,
        call_timeout: Duration::from_secs(server.timeout_seconds),
        connect_timeout: Duration::from_secs(server.connect_timeout_seconds),
        idle_timeout: (server.idle_timeout_seconds > 0)
            .then(|| Duration::from_secs(server.idle_timeout_seconds)),
        parallel: server.parallel,
        trust_annotations: server.trust_annotations,
        accept_new_tools: server.accept_new_tools,
        filter: ToolFilter {
            include: server.tools.include.iter().cloned().collect(),
            exclude: server.tools.exclude.iter().cloned().collect(),
            resources: server.tools.resources,
            prompts: server.tools.prompts,
        },
        allowed: Allowed { elicitation: server.elicitation, sampling: server.sampling, roots: server.roots },
        root: surroundings.cwd.clone(),
    })
}

fn endpoint(name: &str, server: &McpServer, surroundings: &Surroundings) -> Result<Endpoint, Failure> {
    match (server.command.is_empty(), server.url.is_empty()) {
        (true, true) => Err(Failure::usage(format!(
            "mcp_servers.{name}: command says which program to start, or url where the server is"
        ))),
        (false, false) => {
            Err(Failure::usage(format!("mcp_servers.{name}: a server has a command or a url, not both")))
        }
        (false, true) => Ok(Endpoint::Stdio {
            command: server.command.clone(),
            args: server.args.clone(),
            env: server.env.clone(),
            cwd: server
                .cwd
                .as_deref()
                .map_or_else(|| surroundings.cwd.clone(), |cwd| folder(cwd, surroundings)),
        }),
        (true, false) => Ok(Endpoint::Http {
            url: server.url.clone(),
            headers: server.headers.clone(),
            legacy: server.transport == McpTransport::Sse,
            login: Login {
                client_id: server.login.client_id.clone(),
                client_secret: server.login.client_secret.clone(),
                client_metadata_url: server.login.client_metadata_url.clone(),
                scopes: server.login.scopes.clone(),
                callback_port: server.login.callback_port,
            },
        }),
    }
}

fn folder(text: &str, surroundings: &Surroundings) -> PathBuf {
    let home = surroundings.host.env.get("HOME").unwrap_or("/");
    match text.strip_prefix("~/") {
        Some(rest) => Path::new(home).join(rest),
        None if text == "~" => PathBuf::from(home),
        None => surroundings.cwd.join(text),
    }
}

/// The servers that are switched on, none of them started.
pub(crate) fn hub(surroundings: &Surroundings, desk: Desk) -> Result<Hub, Failure> {
    let parts = HubParts {
        home: surroundings.home.clone(),
        env: surroundings.host.env.clone(),
        clock: surroundings.host.clock.clone(),
        http: surroundings.host.http.clone(),
        desk,
    };
    Ok(Hub::new(server_configs(surroundings)?, parts))
}

/// Puts a server's tools into the registry as they are known now.
pub(super) async fn add_tools(registry: &Registry, source: &ServerSource) {
    // A source of known tools cannot fail, and a refused name costs that tool only.
    if let Ok(tools) = source.tools().await {
        registry.replace_all(source.owner(), tools);
    }
}

/// Keeps the registry up to date while the process runs.
pub(super) fn follow_changes(hub: &Arc<Hub>, runtime: &Arc<Runtime>) {
    let Some(mut changes) = hub.changes() else { return };
    let (hub, runtime) = (Arc::downgrade(hub), Arc::downgrade(runtime));
    tokio::spawn(async move {
        while let Some(name) = changes.recv().await {
            let (Some(hub), Some(runtime)) = (hub.upgrade(), runtime.upgrade()) else { return };
            if let Some(source) = hub.source(&name) {
                add_tools(runtime.registry(), &source).await;
                hub.settle();
            }
        }
    });
}

impl App {
    /// Asks servers whose tools are not known yet, if one of these calls may mean them.
    pub(crate) async fn meet_servers<'a>(&self, called: impl IntoIterator<Item = &'a str>) {
        self.mcp.look_again();
        let called: Vec<String> = called.into_iter().map(names::normalise).collect();
        let meant = |server: &Server| {
            let prefix = format!("mcp_{}_", names::normalise(&server.config().name));
            called.iter().any(|name| name.starts_with(&prefix) || name.starts_with("tool_"))
        };
        for server in self.mcp.servers().filter(|server| server.record().is_none() && meant(server)) {
            // The call will find no tool of that name; the user should know why.
            if let Err(reason) = server.meet().await {
                warn(Style::for_stderr(ColorChoice::Auto), "note:", &reason);
            }
            if let Some(source) = self.mcp.source(&server.config().name) {
                add_tools(self.runtime.registry(), &source).await;
            }
        }
    }

    /// Asks all servers whose tools are not known yet, without waiting for any.
    pub(crate) fn meet_all_servers(&self) {
        for server in self.mcp.servers().filter(|server| server.record().is_none()) {
            let server = Arc::clone(server);
            tokio::spawn(async move {
                let _ = server.meet().await;
            });
        }
    }

    /// Ends the tools, then the servers behind them.
    pub(crate) async fn shut_down(&self) {
        self.runtime.shut_down().await;
        self.mcp.shut_down().await;
    }
}
