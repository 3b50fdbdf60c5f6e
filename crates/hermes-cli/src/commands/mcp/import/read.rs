//! Finds the servers in a file, whichever client wrote it.

use std::path::Path;

use serde_json::Value;

use super::comments::without_comments;
use crate::failure::Failure;

/// Whose words a file is written in, where they mean something else than in most.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Client {
    Goose,
    OpenCode,
    Other,
}

/// Where clients keep their servers.
const SECTIONS: &[(&[&str], Client)] = &[
    (&["mcpServers"], Client::Other),
    (&["mcp_servers"], Client::Other),
    (&["servers"], Client::Other),
    (&["context_servers"], Client::Other),
    (&["mcp", "servers"], Client::Other),
    (&["mcp"], Client::OpenCode),
    (&["extensions"], Client::Goose),
];

pub(super) struct Found {
    pub(super) client: Client,
    /// By name, in the order of the file.
    pub(super) servers: Vec<(String, Value)>,
    /// What holds servers too and was not looked at.
    pub(super) elsewhere: Vec<String>,
}

pub(super) fn read(path: &Path) -> Result<Found, Failure> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(Failure::io(&shown))?;
    let wrong = |error: String| Failure::usage(format!("{shown}: {error}"));
    let file: Value = match path.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => toml::from_str(&text).map_err(|error| wrong(error.to_string()))?,
        // YAML reads JSON, and the last commas that such files often have.
        Some("yaml" | "yml") => serde_saphyr::from_str(&text).map_err(|error| wrong(error.to_string()))?,
        _ => serde_saphyr::from_str(&without_comments(&text)).map_err(|error| wrong(error.to_string()))?,
    };
    let found = SECTIONS.iter().find_map(|(keys, client)| {
        let section = keys.iter().try_fold(&file, |value, key| value.get(key))?;
        Some((named(section)?, *client))
    });
    let (servers, client) = found.ok_or_else(|| {
        let places: Vec<String> = SECTIONS.iter().map(|(keys, _)| keys.join(".")).collect();
        Failure::usage(format!("{shown} has no servers"))
            .with_hint(format!("Looked for {}.", places.join(", ")))
    })?;
    Ok(Found { client, servers, elsewhere: of_projects(&file) })
}

/// The servers of a section: by name, or a list of which each says its name.
fn named(section: &Value) -> Option<Vec<(String, Value)>> {
    match section {
        Value::Object(servers) => {
            Some(servers.iter().map(|(name, server)| (name.clone(), server.clone())).collect())
        }
        Value::Array(servers) => {
            let name =
                |server: &Value| server.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            Some(servers.iter().map(|server| (name(server), server.clone())).collect())
        }
        _ => None,
    }
}

/// Some clients keep servers for every project in one file.
fn of_projects(file: &Value) -> Vec<String> {
    let projects = file.get("projects").and_then(Value::as_object).into_iter().flatten();
    let with_servers = projects.filter(|(_, project)| {
        project.get("mcpServers").and_then(Value::as_object).is_some_and(|servers| !servers.is_empty())
    });
    with_servers.map(|(folder, _)| format!("the servers of the project {folder}")).collect()
}
