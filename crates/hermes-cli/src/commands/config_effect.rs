//! Whether what a configuration names is there: a setting that does nothing is a mistake.

use hermes_core::text::visible;
use hermes_runtime::Session;
use hermes_runtime::config::{Config, McpServer};
use hermes_runtime::registry::Snapshot;
use hermes_runtime::toolsets::Problem;

use crate::app::{Surroundings, check_server, idle_matchers, registry, selection, toolsets};
use crate::failure::Failure;

/// Refuses toolsets that cannot be defined, names that nothing carries, and servers that cannot be used; gives back what is
/// only idle.
pub(super) async fn check(surroundings: &Surroundings, config: &Config) -> Result<Vec<String>, Failure> {
    let (registry, _) = registry(surroundings).await?;
    let (registered, table) = (registry.snapshot(), toolsets(config)?.table());
    let mut problems = selection(config).resolve(&table, &registered).problems;
    for name in config.custom_toolsets.keys() {
        problems.extend(table.resolve(name, &registered).problems);
    }
    problems.retain(|problem| !may_come_from_a_server(problem, config));
    problems.sort();
    problems.dedup();
    let mut lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let wrong = |(name, server): (&String, &McpServer)| {
        let wrong = check_server(name, server, surroundings).err()?;
        Some(format!("mcp_servers.{}: {wrong}", visible(name)))
    };
    let wrong: Vec<String> = config.mcp_servers.iter().filter_map(wrong).collect();
    let by_name = !lines.is_empty();
    lines.extend(wrong);
    if lines.is_empty() {
        let mut idle = idle_aliases(config, &registered);
        idle.extend(idle_matchers(config, &registered));
        return Ok(idle);
    }
    let noun = if lines.len() == 1 { "problem" } else { "problems" };
    let failure =
        Failure::usage(format!("the configuration has {} {noun}:\n  {}", lines.len(), lines.join("\n  ")));
    Err(match by_name {
        true => failure.with_hint("'hermes toolsets' and 'hermes tools list' show the names there are."),
        false => failure,
    })
}

/// Other words for tools that are not there: nobody will find anything by them.
fn idle_aliases(config: &Config, registered: &Snapshot) -> Vec<String> {
    let may_come = |name: &str| !config.mcp_servers.is_empty() && name.starts_with("mcp_");
    let table = config.tools.tool_search.table();
    let idle = table.aliases.keys().filter(|name| registered.canonical(name).is_none() && !may_come(name));
    idle.map(|name| format!("tools.tool_search.aliases: there is no tool '{name}'")).collect()
}

/// What a session's selection names and nobody knows: who switches something off must hear that it is still on.
pub(super) async fn unknown_names(session: &Session, config: &Config) -> Vec<String> {
    let catalog = session.catalog().await;
    let unknown = catalog.problems.iter().filter(|problem| !may_come_from_a_server(problem, config));
    unknown.map(ToString::to_string).collect()
}

/// A server that was not asked yet may have a tool of that name.
pub(super) fn may_come_from_a_server(problem: &Problem, config: &Config) -> bool {
    match problem {
        Problem::UnknownToolset { name, .. } => config.mcp_servers.contains_key(name),
        Problem::UnknownTool { name, .. } => !config.mcp_servers.is_empty() && name.starts_with("mcp_"),
        Problem::Cycle { .. } => false,
    }
}
