//! A Hermes with the fixture server configured.

use std::path::PathBuf;

use serde_json::json;

use crate::harness::Hermes;

/// A profile that asks nobody.
pub(super) const OPEN: &str = "profiles: {open: {allow: [\"*\"]}}\n";

/// The user's configuration with these servers, each a mode of the fixture and further keys.
pub(super) fn with_servers(servers: &[(&str, &str, &str)]) -> Hermes {
    configured(Hermes::new(), servers)
}

/// The same Hermes with other servers, or the same with other keys.
pub(super) fn configured(hermes: Hermes, servers: &[(&str, &str, &str)]) -> Hermes {
    let mut config = "permissions: {profile: open}\nmcp_servers:\n".to_owned();
    for (name, mode, keys) in servers {
        let folder = notes(&hermes, name);
        std::fs::create_dir_all(&folder).unwrap();
        let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mcp_server.py");
        let args = json!([fixture, folder, mode]);
        config.push_str(&format!("  {name}:\n    command: python3\n    args: {args}\n{keys}"));
    }
    let hermes = hermes.with_config(&config);
    std::fs::write(hermes.home().join("hermes_permissions.yaml"), OPEN).unwrap();
    hermes
}

/// Where a server leaves its notes.
pub(super) fn notes(hermes: &Hermes, server: &str) -> PathBuf {
    hermes.work().join("notes").join(server)
}

/// The lines of one of a server's notes.
pub(super) fn noted(hermes: &Hermes, server: &str, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(notes(hermes, server).join(name)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}
