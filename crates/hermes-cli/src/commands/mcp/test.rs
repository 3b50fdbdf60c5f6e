//! `hermes mcp test`: starts a server and shows what it offers.

use hermes_core::text::visible;
use hermes_mcp::{Endpoint, Record, Server};
use serde_json::json;

use super::dispatch::{hub, server};
use crate::app::Surroundings;
use crate::failure::Failure;
use crate::render::{Style, Table, print_json, print_text};

pub(super) async fn run(
    name: &str,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<(), Failure> {
    let hub = hub(surroundings)?;
    let server = server(&hub, name, surroundings)?;
    let met = server.meet().await;
    hub.shut_down().await;
    met.map_err(|reason| Failure::answer_is_no(reason).with_hint(server.covered(remedy(&server))))?;
    let record = server.record().ok_or_else(|| Failure::answer_is_no("the server showed nothing"))?;
    if json {
        return print_json(&json!({
            "server": name,
            "identity": record.seen.server,
            "protocol": record.seen.protocol,
            "left_out": record.seen.left_out,
            "tools": record.seen.tools.iter().map(|tool| json!({
                "name": tool.name, "description": tool.description, "verdict": record.judge(tool),
            })).collect::<Vec<_>>(),
        }));
    }
    show(name, &record, style)
}

/// Where to look when a server cannot be met.
fn remedy(server: &Server) -> String {
    let name = &server.config().name;
    match &server.config().endpoint {
        Endpoint::Stdio { command, .. } => format!(
            "'hermes mcp logs {name}' shows what it wrote. Started by hand, '{}' must wait for input and write \
             nothing but messages to its output.",
            visible(command)
        ),
        Endpoint::Http { url, .. } => format!(
            "Is {} the address where it takes messages? It often ends in /mcp, and in /sse where servers need \
             'transport: sse'.",
            // What stands behind the path may be a secret.
            visible(url.split(['?', '#']).next().unwrap_or_default())
        ),
    }
}

fn show(name: &str, record: &Record, style: Style) -> Result<(), Failure> {
    let seen = &record.seen;
    print_text(&format!(
        "{} is {} {}, protocol {}\n",
        style.accent(name),
        visible(&seen.server.name),
        visible(&seen.server.version),
        seen.protocol
    ))?;
    let mut table = Table::new(&["TOOL", "STATE", "DESCRIPTION"]);
    for tool in &seen.tools {
        let verdict = record.judge(tool);
        let state = match verdict.is_accepted() {
            true => style.good("accepted"),
            false => style.warning("quarantined"),
        };
        let text = visible(tool.description.as_deref().unwrap_or_default());
        let first = text.lines().next().unwrap_or_default();
        table.row(vec![visible(&tool.name), state, first.chars().take(80).collect()]);
    }
    print_text(&table.render(style))?;
    for left_out in &seen.left_out {
        print_text(&format!("{} {}\n", style.warning("left out:"), visible(left_out)))?;
    }
    match record.changes().len() {
        0 => Ok(()),
        n => print_text(&format!("{n} quarantined; 'hermes mcp trust {name}' shows why and accepts.\n")),
    }
}
