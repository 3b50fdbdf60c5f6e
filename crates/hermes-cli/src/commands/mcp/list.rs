//! `hermes mcp list`.

use hermes_mcp::State;
use serde_json::{Value, json};

use super::dispatch::hub;
use crate::app::Surroundings;
use crate::failure::Failure;
use crate::render::{Style, Table, print_json, print_text};

pub(super) fn run(surroundings: &Surroundings, json: bool, style: Style) -> Result<(), Failure> {
    let hub = hub(surroundings)?;
    let off = surroundings.config().mcp_servers.iter().filter(|(_, server)| !server.enabled);
    let off: Vec<&String> = off.map(|(name, _)| name).collect();
    if json {
        let mut rows: Vec<Value> = Vec::new();
        for status in hub.status() {
            rows.push(serde_json::to_value(status).map_err(|error| Failure::usage(error.to_string()))?);
        }
        rows.extend(off.iter().map(|name| json!({"name": name, "state": "disabled"})));
        return print_json(&rows);
    }
    let mut table = Table::new(&["SERVER", "STATE", "TOOLS", "QUARANTINED"]);
    for status in hub.status() {
        let word = status.state.word();
        let state = if status.state == State::Configured { style.dim(word) } else { style.good(word) };
        let waiting = match status.quarantined {
            0 => String::new(),
            n => style.warning(&format!("{n}, see 'hermes mcp trust {}'", status.name)),
        };
        table.row(vec![style.accent(&status.name), state, status.tools.to_string(), waiting]);
    }
    for name in off {
        table.row(vec![style.accent(name), style.dim("disabled"), String::new(), String::new()]);
    }
    if table.is_empty() {
        return print_text("No MCP servers are configured; 'hermes mcp add' adds one.\n");
    }
    print_text(&table.render(style))
}
