//! From configuration keys to the runtime's settings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hermes_core::schema::Provider;
use hermes_host::process::Limits;
use hermes_host::state::Durability;
use hermes_host::terminal::{
    BackendSettings, ContainerSettings, Sandbox, SandboxMode, SshSettings, TerminalSettings,
};
use hermes_runtime::catalog::Naming;
use hermes_runtime::config::{self, Config, DefinitionDetail, EnvType, SearchWord};
use hermes_runtime::disclosure::{Detail, DetailChoice, Mode, SearchSettings};
use hermes_runtime::registry::Snapshot;
use hermes_runtime::toolsets::{Selection, Toolset, Toolsets};
use hermes_runtime::{AvailabilitySettings, Settings};

use super::mcp::check_name;
use crate::failure::Failure;

pub(crate) fn settings(config: &Config, registered: &Snapshot) -> Settings {
    let limits = &config.limits;
    let availability = &config.availability;
    let guard = &config.repeat_guard;
    Settings {
        batch_width: limits.batch_width,
        concurrent_calls: limits.concurrent_calls,
        queued_calls: limits.queued_calls,
        result_chars: limits.result_chars,
        turn_result_chars: limits.turn_result_chars,
        availability: AvailabilitySettings {
            deadline: Duration::from_millis(availability.deadline_ms),
            ttl: Duration::from_secs(availability.ttl_seconds),
            grace: Duration::from_secs(availability.grace_seconds),
        },
        identical_failures: guard.enabled.then_some(guard.identical_failures),
        timeouts: by_tool(&config.tools.timeout_seconds, registered, |seconds| Duration::from_secs(*seconds)),
        max_result_chars: by_tool(&config.tools.max_result_chars, registered, |chars| *chars),
        search: search(config, registered),
    }
}

fn search(config: &Config, registered: &Snapshot) -> SearchSettings {
    let table = config.tools.tool_search.table();
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let settings = SearchSettings {
        mode: match table.enabled.word() {
            SearchWord::Auto => Mode::Auto,
            SearchWord::On | SearchWord::Yes => Mode::On,
            SearchWord::Off | SearchWord::No => Mode::Off,
        },
        threshold_pct: table.threshold_pct,
        default_limit: whole(table.search_default_limit),
        max_limit: whole(table.max_search_limit),
        schema_tokens: whole(table.schema_tokens),
        detail: match table.definitions {
            DefinitionDetail::Auto => DetailChoice::Auto,
            DefinitionDetail::Full => DetailChoice::Always(Detail::Full),
            DefinitionDetail::Slim => DetailChoice::Always(Detail::Slim),
            DefinitionDetail::Outline => DetailChoice::Always(Detail::Outline),
        },
        definition_tokens: whole(table.definition_tokens),
        encoder: table.encoder,
        first_wait: SearchSettings::default().first_wait,
        learn: table.learn,
        aliases: by_tool(&table.aliases, registered, Clone::clone),
    };
    settings.clamped()
}

/// The context of the model, as far as the configuration says.
pub(crate) fn context_tokens(config: &Config) -> Option<usize> {
    config.tools.tool_search.table().context_tokens.and_then(|tokens| usize::try_from(tokens).ok())
}

/// Keys may be aliases; the runtime asks by canonical name.
fn by_tool<V, T>(
    given: &BTreeMap<String, V>,
    registered: &Snapshot,
    make: impl Fn(&V) -> T,
) -> BTreeMap<String, T> {
    let canonical = |name: &str| registered.canonical(name).unwrap_or(name).to_owned();
    given.iter().map(|(name, value)| (canonical(name), make(value))).collect()
}

/// In a selection: no tools of MCP servers.
pub(crate) const NO_MCP: &str = "no_mcp";
/// The toolset of all MCP servers that are configured, also of those that come while a process runs.
const ALL_MCP: &str = "mcp_servers";

/// Whoever names toolsets for one run gets those and nothing else: servers only where they are named.
pub(crate) fn only_named(toolsets: &[String]) -> Vec<String> {
    let names_all = toolsets.iter().any(|name| matches!(name.as_str(), ALL_MCP | "all" | "*"));
    let no_others = (!names_all).then(|| NO_MCP.to_owned());
    toolsets.iter().cloned().chain(no_others).collect()
}

pub(crate) fn selection(config: &Config) -> Selection {
    let mut enabled = config.toolsets.clone();
    // Servers are on unless the selection names some of them, or none.
    let names_some = |name: &String| name.starts_with("mcp-") || config.mcp_servers.contains_key(name);
    if !enabled.iter().any(|name| name == NO_MCP || names_some(name)) {
        enabled.push(ALL_MCP.to_owned());
    }
    enabled.retain(|name| name != NO_MCP);
    Selection {
        enabled: Some(enabled),
        disabled: config.disabled_toolsets.clone(),
        disabled_tools: config.tools.disabled.clone(),
        set_up: set_up(&config.tools),
    }
}

/// The tools that settings are made for, but for those of servers: nobody knows yet what a server has.
fn set_up(tools: &config::Tools) -> Vec<(String, String)> {
    let timeouts = tools.timeout_seconds.keys().map(|name| ("tools.timeout_seconds", name));
    let limits = tools.max_result_chars.keys().map(|name| ("tools.max_result_chars", name));
    let own = timeouts.chain(limits).filter(|(_, name)| !name.starts_with("mcp_"));
    own.map(|(key, name)| (key.to_owned(), name.clone())).collect()
}

/// The servers whose names can be part of others.
fn usable_servers(config: &Config) -> impl Iterator<Item = &String> {
    config.mcp_servers.keys().filter(|name| check_name(name).is_ok())
}

pub(crate) fn toolsets(config: &Config) -> Result<Toolsets, Failure> {
    let toolsets =
        Toolsets::from_yaml(hermes_tools::TOOLSETS).map_err(|error| Failure::usage(error.to_string()))?;
    for (name, custom) in &config.custom_toolsets {
        let toolset = Toolset {
            description: custom.description.clone(),
            tools: custom.tools.clone(),
            includes: custom.includes.clone(),
            ..Toolset::default()
        };
        toolsets
            .define(name, toolset)
            .map_err(|error| Failure::usage(format!("custom_toolsets.{name}: {error}")))?;
    }
    define_servers(&toolsets, config)?;
    Ok(toolsets)
}

/// A toolset for every MCP server, known even while the server has shown no tools yet, and one for all of them.
pub(super) fn define_servers(toolsets: &Toolsets, config: &Config) -> Result<(), Failure> {
    let mut all = Toolset {
        description: "Tools of all MCP servers that are configured".to_owned(),
        ..Toolset::default()
    };
    for server in usable_servers(config) {
        let description = format!("Tools of the MCP server '{server}'");
        let toolset = Toolset { description, ..Toolset::default() };
        all.includes.push(format!("mcp-{server}"));
        toolsets
            .define(&format!("mcp-{server}"), toolset)
            .map_err(|error| Failure::usage(format!("mcp_servers.{server}: {error}")))?;
    }
    toolsets.define(ALL_MCP, all).map_err(|error| Failure::usage(error.to_string()))
}

/// One place where commands could run, as it is configured.
pub(crate) fn backend(terminal: &config::Terminal, kind: EnvType, user_home: &Path) -> BackendSettings {
    let given = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let file = |text: &String| {
        given(text).map(|text| match text.strip_prefix("~/") {
            Some(rest) => user_home.join(rest),
            None => PathBuf::from(text),
        })
    };
    let container = |image: &String| ContainerSettings {
        image: given(image),
        network: terminal.container_network,
        memory_mb: terminal.container_memory,
        cpus: terminal.container_cpu.to_string(),
        mounts: terminal.container_mounts.clone(),
        ..ContainerSettings::default()
    };
    match kind {
        EnvType::Local => BackendSettings::Local,
        EnvType::Ssh => BackendSettings::Ssh(SshSettings {
            host: given(&terminal.ssh_host),
            user: given(&terminal.ssh_user),
            port: terminal.ssh_port,
            key: file(&terminal.ssh_key),
            known_hosts: file(&terminal.ssh_known_hosts),
        }),
        EnvType::Docker => BackendSettings::Docker(container(&terminal.docker_image)),
        EnvType::Podman => BackendSettings::Podman(container(&terminal.docker_image)),
        EnvType::Singularity => BackendSettings::Singularity(container(&terminal.singularity_image)),
        EnvType::Modal => BackendSettings::Modal(container(&terminal.modal_image)),
    }
}

/// What the configuration says about commands; `~/` is the user's home folder.
pub(crate) fn terminal(config: &Config, user_home: &Path) -> TerminalSettings {
    let terminal = &config.terminal;
    let sandbox = &terminal.sandbox;
    let path = |text: &String| match text.strip_prefix("~/") {
        Some(rest) => user_home.join(rest),
        None => PathBuf::from(text),
    };
    TerminalSettings {
        backend: backend(terminal, terminal.env_type, user_home),
        sessions: terminal
            .sessions
            .iter()
            .map(|(session, kind)| (session.clone(), backend(terminal, *kind, user_home)))
            .collect(),
        limits: Limits {
            memory_bytes: terminal.limits.memory_mb.map(|size| size << 20),
            file_bytes: terminal.limits.file_mb.map(|size| size << 20),
            processes: terminal.limits.processes,
            open_files: terminal.limits.open_files,
        },
        cwd: Some(terminal.cwd.clone()),
        timeout: Duration::from_secs(terminal.timeout.min(terminal.max_timeout)),
        max_timeout: Duration::from_secs(terminal.max_timeout),
        output_chars: terminal.output_chars,
        env_passthrough: terminal.env_passthrough.clone(),
        secret_env: config.security.secret_env.iter().cloned().collect(),
        sandbox: Sandbox {
            mode: match sandbox.mode {
                config::SandboxMode::Strict => SandboxMode::Strict,
                config::SandboxMode::Best => SandboxMode::Best,
                config::SandboxMode::Off => SandboxMode::Off,
            },
            writable: sandbox.writable.iter().map(path).collect(),
            readable: sandbox.readable.iter().map(path).collect(),
            local_services: sandbox.local_services,
        },
    }
}

pub(crate) fn provider(config: &Config) -> Provider {
    match config.provider {
        config::Provider::Generic => Provider::Generic,
        config::Provider::OpenAi => Provider::OpenAi,
        config::Provider::Anthropic => Provider::Anthropic,
        config::Provider::Gemini => Provider::Gemini,
    }
}

pub(crate) fn naming(config: &Config) -> Naming {
    match config.tools.naming {
        config::Naming::Hermes => Naming::Hermes,
        config::Naming::Chapter18 => Naming::Chapter18,
    }
}

pub(crate) fn durability(config: &Config) -> Durability {
    match config.journal.durability {
        config::Durability::Process => Durability::Process,
        config::Durability::Power => Durability::Power,
    }
}
