//! Changes to the user's configuration file that touch nothing but the server they are about: order, comments
//! and spacing of the rest stay.

use std::path::Path;

use hermes_runtime::config::{Config, Layer, Origin};
use serde_json::Value;

use crate::app::Surroundings;
use crate::failure::Failure;

const SECTION: &str = "mcp_servers:";

/// Writes a server into the file. The result is checked before it replaces the old file.
pub(super) fn put(surroundings: &Surroundings, name: &str, server: &Value) -> Result<(), Failure> {
    let path = surroundings.home.config_file();
    let mut lines = read(&path)?;
    let mut block = vec![format!("  {}:", quoted(name))];
    for (key, value) in server.as_object().into_iter().flatten() {
        // JSON is YAML, and it needs no care about what a text may look like.
        block.push(format!("    {key}: {value}"));
    }
    match lines.iter().position(|line| line.trim_end() == SECTION) {
        Some(at) => {
            lines.splice(at + 1..at + 1, block);
        }
        None if lines.iter().any(|line| line.starts_with(SECTION)) => return Err(by_hand(&path)),
        None => {
            lines.push(SECTION.to_owned());
            lines.extend(block);
        }
    }
    write(surroundings, &path, &lines)
}

/// Takes a server out of the file.
pub(super) fn cut(surroundings: &Surroundings, name: &str) -> Result<(), Failure> {
    let path = surroundings.home.config_file();
    let mut lines = read(&path)?;
    let section = lines.iter().position(|line| line.trim_end() == SECTION).ok_or_else(|| by_hand(&path))?;
    let inside = |line: &str| line.starts_with(' ') || line.trim().is_empty() || line.starts_with('#');
    let heads = [format!("  {name}:"), format!("  {}:", quoted(name)), format!("  '{name}':")];
    let below = lines.iter().enumerate().skip(section + 1).take_while(|(_, line)| inside(line));
    let start = below.clone().find(|(_, line)| heads.iter().any(|head| line.trim_end() == head));
    let (start, _) = start.ok_or_else(|| by_hand(&path))?;
    let deeper = |line: &str| line.starts_with("   ");
    let length = lines.iter().skip(start + 1).take_while(|line| deeper(line)).count();
    lines.drain(start..=start + length);
    // An empty section would read as nothing at all.
    let left = lines.iter().skip(section + 1).take_while(|line| inside(line));
    if left.filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#')).count() == 0 {
        lines.remove(section);
    }
    write(surroundings, &path, &lines)
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

fn read(path: &Path) -> Result<Vec<String>, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Failure::io(&path.display().to_string())(error)),
    }
}

fn write(surroundings: &Surroundings, path: &Path, lines: &[String]) -> Result<(), Failure> {
    let mut text = lines.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    Config::load(&[Layer::new(Origin::UserFile(path.to_owned()), text.clone())], &[], &[])
        .map_err(Failure::config)?;
    surroundings.home.ensure()?;
    hermes_host::private::replace(path, text.as_bytes()).map_err(Failure::io(&path.display().to_string()))
}

fn by_hand(path: &Path) -> Failure {
    Failure::usage(format!("{} is written in a way that only its author should change", path.display()))
        .with_hint("Edit mcp_servers there by hand; 'hermes config validate' checks it.")
}
