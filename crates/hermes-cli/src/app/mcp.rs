//! MCP servers in the composition root: from configuration to tools in the registry.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hermes_core::text::visible;
use hermes_core::{Owner, Source, names};
use hermes_mcp::{
    Allowed, Desk, Endpoint, Era, Hub, HubParts, Login, ServerConfig, ServerSource, ToolFilter,
    check_program, given,
};
use hermes_runtime::Runtime;
use hermes_runtime::config::{McpEra, McpServer, McpTransport};
use hermes_runtime::registry::Registry;

use super::build::{App, known_secrets};
use super::surroundings::Surroundings;
use crate::failure::Failure;
use crate::render::{ColorChoice, Style, warn};

/// Shorter secrets of a server are hidden in what that server says only: they would be found everywhere.
const MIN_SECRET: usize = 8;

/// The servers that are switched on; those that cannot be used, with what is wrong with them.
pub(crate) struct Servers {
    usable: Vec<ServerConfig>,
    pub(crate) wrong: BTreeMap<String, String>,
}

impl Servers {
    pub(crate) fn of(surroundings: &Surroundings) -> Self {
        let mut servers = Servers { usable: Vec::new(), wrong: BTreeMap::new() };
        let on = surroundings.config().mcp_servers.iter().filter(|(_, server)| server.enabled);
        for (name, server) in on {
            match server_config(name, server, surroundings) {
                Ok(config) => servers.usable.push(config),
                Err(problem) => drop(servers.wrong.insert(name.clone(), problem)),
            }
        }
        servers
    }

    /// Those that can be used; the operator is told of the others.
    pub(super) fn told(surroundings: &Surroundings) -> Vec<ServerConfig> {
        let servers = Servers::of(surroundings);
        for (name, problem) in &servers.wrong {
            let told = format!("mcp_servers.{}: {problem}; it is left out", visible(name));
            warn(Style::for_stderr(ColorChoice::Auto), "warning:", &told);
        }
        servers.usable
    }
}

/// What is wrong with a name: it becomes part of file names, tool names and permissions.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    match !names::is_valid(name) || name.starts_with('.') || name.len() > 40 {
        true => Err(format!(
            "'{}' is no name for a server: use 1 to 40 letters, digits, '_', '-' or '.'",
            visible(name)
        )),
        false => Ok(()),
    }
}

/// What is wrong with an entry, wherever it comes from: the same for what is added, taken over or written by hand.
pub(crate) fn check_server(
    name: &str,
    server: &McpServer,
    surroundings: &Surroundings,
) -> Result<(), String> {
    server_config(name, server, surroundings).map(drop)
}

fn server_config(
    name: &str,
    server: &McpServer,
    surroundings: &Surroundings,
) -> Result<ServerConfig, String> {
    check_name(name)?;
    let endpoint = endpoint(server, surroundings)?;
    endpoint.check()?;
    if let Some((program, args)) = server.sampling_program.split_first() {
        check_program(program, args, &server.sampling_env).map_err(|wrong| format!("sampling: {wrong}"))?;
    }
    Ok(ServerConfig {
        name: name.to_owned(),
        endpoint,
        era: match server.protocol.era() {
            McpEra::Auto => Era::Any,
            McpEra::Legacy => Era::Sessions,
            McpEra::Stateless => Era::Stateless,
        },
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

fn endpoint(server: &McpServer, surroundings: &Surroundings) -> Result<Endpoint, String> {
    match (server.command.is_empty(), server.url.is_empty()) {
        (true, true) => Err("command says which program to start, or url where the server is".to_owned()),
        (false, false) => Err("a server has a command or a url, not both".to_owned()),
        (false, true) => Ok(Endpoint::Stdio {
            command: server.command.clone(),
            args: server.args.clone(),
            env: server.env.clone(),
            cwd: server.cwd.as_deref().map(|cwd| folder(cwd, surroundings)),
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

/// What servers are given to say who asks, as far as its names say so: no part of the house shows it.
pub(super) fn server_secrets(surroundings: &Surroundings) -> Vec<(String, String)> {
    let servers = surroundings.config().mcp_servers.values();
    let endpoints = servers.filter_map(|server| endpoint(server, surroundings).ok());
    let given = endpoints.flat_map(|endpoint| given(&endpoint, &surroundings.host.env).secret);
    given.filter(|(_, value)| value.len() >= MIN_SECRET).collect()
}

fn folder(text: &str, surroundings: &Surroundings) -> PathBuf {
    let home = surroundings.host.env.get("HOME").unwrap_or("/");
    match text.strip_prefix("~/") {
        Some(rest) => Path::new(home).join(rest),
        None if text == "~" => PathBuf::from(home),
        None => surroundings.cwd.join(text),
    }
}

/// The servers that are switched on, none of them started. What is wrong with one costs that one only, and the operator
/// is told.
pub(crate) fn hub(surroundings: &Surroundings, desk: Desk) -> Result<Hub, Failure> {
    let parts = HubParts {
        home: surroundings.home.clone(),
        env: surroundings.host.env.clone(),
        clock: surroundings.host.clock.clone(),
        http: surroundings.host.http.clone(),
        desk,
        secrets: known_secrets(surroundings)?,
    };
    Ok(Hub::new(Servers::told(surroundings), parts))
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
    hub.publish();
    let (hub, runtime) = (Arc::downgrade(hub), Arc::downgrade(runtime));
    tokio::spawn(async move {
        while let Some(name) = changes.recv().await {
            let (Some(hub), Some(runtime)) = (hub.upgrade(), runtime.upgrade()) else { return };
            match hub.source(&name) {
                Some(source) => add_tools(runtime.registry(), &source).await,
                None => drop(runtime.registry().replace_all(Owner::Mcp(name), Vec::new())),
            }
            hub.settle();
        }
    });
}

impl App {
    /// Ends the tools, then the servers behind them.
    pub(crate) async fn shut_down(&self) {
        self.runtime.shut_down().await;
        self.leave_off().await;
        self.mcp.shut_down().await;
    }
}
