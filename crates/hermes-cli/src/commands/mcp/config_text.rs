//! Changes to the user's configuration file that touch nothing but the server they are about: order, comments
//! and spacing of the rest stay.

use std::path::Path;

use serde_json::{Map, Value};

use super::yaml;
use crate::app::Surroundings;
use crate::app::user_config::{change, read};
use crate::failure::Failure;

const SECTION: &str = "mcp_servers";

/// Writes a server into the file. The result is checked before it replaces the old file.
pub(super) fn put(
    surroundings: &Surroundings,
    name: &str,
    server: &Map<String, Value>,
) -> Result<(), Failure> {
    let path = surroundings.home.config_file();
    let mut alone = Vec::new();
    yaml::put(&mut alone, SECTION, name, server);
    // What is wrong with the server itself is told as such.
    read(&path, &alone)?;
    change(&surroundings.home, |lines| {
        let before = servers(&path, lines)?;
        if before.iter().any(|known| known == name) {
            return Err(taken(name));
        }
        let mut changed = lines.clone();
        let made = yaml::put(&mut changed, SECTION, name, server);
        match servers(&path, &changed) {
            Ok(after)
                if made && after.len() == before.len() + 1 && after.iter().any(|known| known == name) =>
            {
                *lines = changed;
                Ok(())
            }
            _ => {
                let entry = format!("{}: {}", Value::from(name), Value::Object(server.clone()));
                Err(by_hand(&path, &format!("Write this under {SECTION}: there by hand:  {entry}")))
            }
        }
    })
}

/// Nobody's server is written over.
pub(super) fn taken(name: &str) -> Failure {
    Failure::usage(format!("there is an MCP server '{name}' already"))
        .with_hint(format!("'hermes mcp remove {name}' takes it away."))
}

/// Takes a server out of the file.
pub(super) fn cut(surroundings: &Surroundings, name: &str) -> Result<(), Failure> {
    let path = surroundings.home.config_file();
    change(&surroundings.home, |lines| {
        let before = servers(&path, lines)?;
        if !before.iter().any(|known| known == name) {
            return Err(Failure::usage(format!("{} has no MCP server '{name}'", path.display()))
                .with_hint("It comes from a project's file, a flag or a variable; 'hermes config effective --why mcp_servers' says from which."));
        }
        let mut changed = lines.clone();
        let made = yaml::cut(&mut changed, SECTION, name);
        match servers(&path, &changed) {
            Ok(after)
                if made && after.len() + 1 == before.len() && !after.iter().any(|known| known == name) =>
            {
                *lines = changed;
                Ok(())
            }
            _ => Err(by_hand(
                &path,
                &format!("Take '{name}' out of {SECTION}: there by hand, with what refers to it"),
            )),
        }
    })
}

/// The names of the servers that the file alone configures.
fn servers(path: &Path, lines: &[String]) -> Result<Vec<String>, Failure> {
    Ok(read(path, lines)?.config.mcp_servers.into_keys().collect())
}

/// The file is written in a way that its lines cannot be told apart.
fn by_hand(path: &Path, what: &str) -> Failure {
    Failure::usage(format!("{} is written in a way that only its author should change", path.display()))
        .with_hint(format!("{what}. 'hermes config validate' checks it."))
}
