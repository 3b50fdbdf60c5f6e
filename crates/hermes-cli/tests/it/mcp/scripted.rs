//! Servers that say what a test tells them to, and say something else later.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::support::OPEN;
use crate::harness::Hermes;

/// A Hermes with such servers, each with further keys, met once.
pub(super) fn scripted(servers: &[(&str, Value, &str)]) -> Hermes {
    scripted_in(Hermes::new(), servers)
}

/// The same in a Hermes that is there.
pub(super) fn scripted_in(hermes: Hermes, servers: &[(&str, Value, &str)]) -> Hermes {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mcp_scripted.py");
    let mut config = "permissions: {profile: open}\nmcp_servers:\n".to_owned();
    for (name, script, keys) in servers {
        say(&hermes, name, script);
        let args = json!([fixture, file(&hermes, name)]);
        config.push_str(&format!("  {name}:\n    command: python3\n    args: {args}\n{keys}"));
    }
    let hermes = hermes.with_config(&config);
    std::fs::write(hermes.home().join("hermes_permissions.yaml"), OPEN).unwrap();
    for (name, ..) in servers {
        meet(&hermes, name);
    }
    hermes
}

/// Has a server say something else from now on.
pub(super) fn say(hermes: &Hermes, server: &str, script: &Value) {
    std::fs::write(file(hermes, server), script.to_string()).unwrap();
}

/// Asks a server anew what it offers.
pub(super) fn meet(hermes: &Hermes, server: &str) {
    let met = hermes.run(&["mcp", "test", server]);
    assert_eq!(met.code, 0, "{}{}", met.stdout, met.stderr);
}

/// The calls that reached a server.
pub(super) fn calls(hermes: &Hermes, server: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(format!("{}.calls", file(hermes, server).display()));
    text.unwrap_or_default().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A tool without arguments.
pub(super) fn tool(name: &str, description: &str) -> Value {
    json!({"name": name, "description": description})
}

fn file(hermes: &Hermes, server: &str) -> PathBuf {
    hermes.work().join(format!("{server}.script"))
}
