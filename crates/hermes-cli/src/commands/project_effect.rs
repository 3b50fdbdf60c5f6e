//! What a project's configuration file would do beside the user's own: programs, addresses, and every setting that changes.

use hermes_core::text::visible;
use hermes_runtime::config::{Config, Loaded, McpServer};
use serde_json::{Value, json};

use super::config::leaves;
use super::reach::{beside, command_line, reach};

/// Keys of a server that are told as a program or an address.
const TOLD: [&str; 7] = ["command", "args", "env", "url", "headers", "cwd", "enabled"];

/// One thing that would be different.
pub(super) struct Effect {
    pub(super) line: String,
    pub(super) json: Value,
}

pub(super) fn effects(before: &Loaded, after: &Loaded) -> Vec<Effect> {
    let mut effects = servers(&before.config, &after.config);
    effects.extend(hooks(&before.config, &after.config));
    effects.extend(settings(&before.effective(), &after.effective()));
    effects
}

fn servers(before: &Config, after: &Config) -> Vec<Effect> {
    let changed =
        after.mcp_servers.iter().filter(|(name, server)| before.mcp_servers.get(*name) != Some(server));
    let effect = |(name, server): (&String, &McpServer)| {
        let about = [format!("MCP server '{}', at its first call", visible(name))];
        let about: Vec<String> = about.into_iter().chain(beside(server)).collect();
        let mut told = vec![Effect {
            line: format!("{} ({})", reach(server), about.join("; ")),
            json: reached(name, server),
        }];
        if !server.sampling_program.is_empty() {
            let program = command_line(&server.sampling_program);
            told.push(Effect {
                line: format!("runs {program} (for MCP server '{}', which asks for a model)", visible(name)),
                json: json!({"effect": "runs", "server": name, "command": server.sampling_program}),
            });
        }
        told
    };
    changed.flat_map(effect).collect()
}

fn reached(name: &str, server: &McpServer) -> Value {
    let (env, headers): (Vec<&String>, Vec<&String>) =
        (server.env.keys().collect(), server.headers.keys().collect());
    match server.url.is_empty() {
        true => json!({
            "effect": "starts", "server": name, "command": server.command, "args": server.args, "env": env,
            "cwd": server.cwd, "enabled": server.enabled,
        }),
        false => json!({
            "effect": "contacts", "server": name, "url": server.url, "headers": headers, "enabled": server.enabled,
        }),
    }
}

fn hooks(before: &Config, after: &Config) -> Vec<Effect> {
    let table = |config: &Config| serde_json::to_value(&config.hooks).unwrap_or_default();
    let (before, after) = (table(before), table(after));
    let mut effects = Vec::new();
    for (event, hooks) in after.as_object().into_iter().flatten() {
        let known = before.get(event).and_then(Value::as_array);
        for hook in hooks.as_array().into_iter().flatten() {
            if known.is_some_and(|known| known.contains(hook)) {
                continue;
            }
            let command: Vec<String> = serde_json::from_value(hook["command"].clone()).unwrap_or_default();
            let line = format!(
                "runs {} (hook {event}, once 'hermes hooks trust' agreed to it)",
                command_line(&command)
            );
            effects.push(Effect { line, json: json!({"effect": "runs", "hook": event, "command": command}) });
        }
    }
    effects
}

/// Everything else, key by key.
fn settings(before: &Value, after: &Value) -> Vec<Effect> {
    let mut keys = Vec::new();
    leaves(after, String::new(), &mut keys);
    let usual = serde_json::to_value(McpServer::default()).unwrap_or_default();
    let effect = |key: String| {
        let value = at(after, &key)?;
        let old = at(before, &key).or_else(|| {
            let (_, rest) = key.strip_prefix("mcp_servers.")?.split_once('.')?;
            at(&usual, rest)
        });
        if old == Some(value) || is_told(&key) {
            return None;
        }
        let instead = old.map(|old| format!(", now {}", visible(&old.to_string()))).unwrap_or_default();
        Some(Effect {
            line: format!("sets {} = {}{instead}", visible(&key), visible(&value.to_string())),
            json: json!({"effect": "sets", "key": key, "value": value, "instead_of": old}),
        })
    };
    keys.into_iter().filter_map(effect).collect()
}

fn is_told(key: &str) -> bool {
    let of_server = key.strip_prefix("mcp_servers.").and_then(|rest| rest.split_once('.'));
    key.starts_with("hooks.")
        || of_server.is_some_and(|(_, rest)| TOLD.contains(&rest.split('.').next().unwrap_or_default()))
}

/// The value of a dotted key, whatever its names hold.
fn at<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    if let Some(found) = value.get(key) {
        return Some(found);
    }
    let fields = value.as_object()?;
    fields.iter().find_map(|(name, below)| at(below, key.strip_prefix(name.as_str())?.strip_prefix('.')?))
}
