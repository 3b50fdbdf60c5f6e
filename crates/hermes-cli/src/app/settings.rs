//! From configuration keys to the runtime's settings.

use std::collections::BTreeMap;
use std::time::Duration;

use hermes_core::schema::Provider;
use hermes_host::state::Durability;
use hermes_runtime::catalog::Naming;
use hermes_runtime::config::{self, Config};
use hermes_runtime::registry::Snapshot;
use hermes_runtime::toolsets::{Selection, Toolset, Toolsets};
use hermes_runtime::{AvailabilitySettings, Settings};

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
    }
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
const NO_MCP: &str = "no_mcp";

pub(crate) fn selection(config: &Config) -> Selection {
    let mut enabled = config.toolsets.clone();
    // Servers are on unless the selection names some of them, or none.
    let names_some = |name: &String| name.starts_with("mcp-") || config.mcp_servers.contains_key(name);
    if !enabled.iter().any(|name| name == NO_MCP || names_some(name)) {
        enabled.extend(config.mcp_servers.keys().map(|server| format!("mcp-{server}")));
    }
    enabled.retain(|name| name != NO_MCP);
    Selection {
        enabled: Some(enabled),
        disabled: config.disabled_toolsets.clone(),
        disabled_tools: config.tools.disabled.clone(),
    }
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
    for server in config.mcp_servers.keys() {
        // Known even while the server has shown no tools yet.
        let description = format!("Tools of the MCP server '{server}'");
        let toolset = Toolset { description, ..Toolset::default() };
        toolsets
            .define(&format!("mcp-{server}"), toolset)
            .map_err(|error| Failure::usage(format!("mcp_servers.{server}: {error}")))?;
    }
    Ok(toolsets)
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
