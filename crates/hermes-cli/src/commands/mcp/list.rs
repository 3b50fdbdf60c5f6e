//! `hermes mcp list`.

use hermes_core::text::visible;
use hermes_mcp::State;
use serde_json::{Value, json};

use super::dispatch::hub;
use crate::app::{Servers, Surroundings};
use crate::failure::Failure;
use crate::render::{Style, Table, print_json, print_text};

/// The longest reason that is shown in the table.
const WIDEST: usize = 100;

pub(super) fn run(surroundings: &Surroundings, json: bool, style: Style) -> Result<(), Failure> {
    let hub = hub(surroundings)?;
    let off = surroundings.config().mcp_servers.iter().filter(|(_, server)| !server.enabled);
    let wrong = Servers::of(surroundings).wrong;
    let off: Vec<&String> = off.map(|(name, _)| name).collect();
    if json {
        let mut rows: Vec<Value> = Vec::new();
        for status in hub.status() {
            rows.push(serde_json::to_value(status).map_err(|error| Failure::usage(error.to_string()))?);
        }
        let wrong =
            wrong.iter().map(|(name, reason)| json!({"name": name, "state": "invalid", "reason": reason}));
        rows.extend(wrong);
        rows.extend(off.iter().map(|name| json!({"name": name, "state": "disabled"})));
        return print_json(&rows);
    }
    let mut table = Table::new(&["SERVER", "STATE", "TOOLS", "QUARANTINED"]);
    for overview in hub.status() {
        let status = overview.status;
        let word = status.state.word();
        let state = match &status.state {
            State::Configured => style.dim(word),
            State::Failed { reason, .. } => format!("{}: {}", style.warning(word), first_line(reason)),
            _ => style.good(word),
        };
        let waiting = match status.quarantined {
            0 => String::new(),
            n => style.warning(&format!("{n}, see 'hermes mcp trust {}'", status.name)),
        };
        table.row(vec![style.accent(&status.name), state, status.tools.to_string(), waiting]);
    }
    for (name, reason) in &wrong {
        let state = format!("{}: {reason}", style.warning("invalid"));
        table.row(vec![visible(name), state, String::new(), String::new()]);
    }
    for name in off {
        table.row(vec![style.accent(name), style.dim("disabled"), String::new(), String::new()]);
    }
    if table.is_empty() {
        return print_text("No MCP servers are configured; 'hermes mcp add' adds one.\n");
    }
    print_text(&table.render(style))
}

/// The reason of a failure, as far as it fits into a table.
fn first_line(reason: &str) -> String {
    let shown = visible(reason);
    let line = shown.lines().next().unwrap_or_default();
    match line.char_indices().nth(WIDEST) {
        Some((cut, _)) => format!("{}…", line.get(..cut).unwrap_or_default()),
        None => line.to_owned(),
    }
}
