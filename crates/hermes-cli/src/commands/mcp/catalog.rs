//! `hermes mcp catalog`: servers that can be added by name alone.

use hermes_runtime::config::McpServer;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::app::Surroundings;
use crate::failure::Failure;
use crate::render::{Style, Table, print_json, print_text};

const SHIPPED: &str = include_str!("catalog.yaml");

/// One known server.
#[derive(Deserialize)]
struct Known {
    name: String,
    about: String,
    /// As it stands in the configuration.
    #[serde(flatten)]
    server: Map<String, Value>,
}

pub(super) fn run(surroundings: &Surroundings, json: bool, style: Style) -> Result<(), Failure> {
    let configured = |name: &String| surroundings.config().mcp_servers.contains_key(name);
    let mut table = Table::new(&["SERVER", "WHAT IT DOES", "REACHED BY"]);
    let mut rows = Vec::new();
    for known in shipped()? {
        let text = |key: &str| known.server.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let reached = if text("url").is_empty() { text("command") } else { text("url") };
        let name = if configured(&known.name) { style.good(&known.name) } else { style.accent(&known.name) };
        table.row(vec![name, known.about.clone(), style.dim(&reached)]);
        rows.push(serde_json::json!({
            "name": known.name, "about": known.about, "server": known.server, "configured": configured(&known.name),
        }));
    }
    if json {
        return print_json(&rows);
    }
    print_text(&table.render(style))?;
    print_text("'hermes mcp add NAME' adds one.\n")
}

/// The configuration of a known server.
pub(super) fn named(name: &str) -> Result<Option<Map<String, Value>>, Failure> {
    Ok(shipped()?.into_iter().find(|known| known.name == name).map(|known| known.server))
}

fn shipped() -> Result<Vec<Known>, Failure> {
    let all: Vec<Known> =
        serde_saphyr::from_str(SHIPPED).map_err(|error| Failure::usage(error.to_string()))?;
    for known in &all {
        // What is shipped must be what the configuration takes.
        serde_json::from_value::<McpServer>(Value::Object(known.server.clone()))
            .map_err(|error| Failure::usage(format!("{}: {error}", known.name)))?;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shipped_is_sorted_and_reachable_in_one_way() {
        let all = shipped().unwrap_or_default();
        let names: Vec<&String> = all.iter().map(|known| &known.name).collect();
        assert!(names.len() >= 10 && names.is_sorted());
        for known in &all {
            assert_ne!(
                known.server.contains_key("url"),
                known.server.contains_key("command"),
                "{}",
                known.name
            );
        }
    }
}
