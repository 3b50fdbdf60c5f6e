//! Whether a plugin keeps to the rules, found out by starting it.

use hermes_plugins::plugin::{Folders, Found, MANIFEST, Place, inspect};
use serde_json::json;

use super::enable::{none_or, unknown};
use crate::app::Surroundings;
use crate::failure::{Failure, exit};
use crate::render::{Style, print_json, print_text};

pub(super) async fn check(
    plugin: &str,
    folders: &Folders,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let found = find(plugin, folders, surroundings)?;
    let state = inspect(&found, &surroundings.host, &surroundings.cwd).await;
    let state = state.map_err(|why| Failure::answer_is_no(format!("the plugin {}: {why}", found.id)))?;
    let bad: Vec<&str> = state
        .described
        .tools
        .iter()
        .filter(|tool| tool.description.trim().is_empty())
        .map(|tool| tool.name.as_str())
        .collect();
    if !bad.is_empty() {
        return Err(Failure::answer_is_no(format!("no description: {}", bad.join(", "))));
    }
    if json {
        print_json(&json!({
            "id": state.manifest.id,
            "version": state.manifest.version,
            "digest": state.digest,
            "sandbox": state.level.as_str(),
            "asks": state.asked,
            "tools": state.described.tools,
            "requires_env": state.described.requires_env,
        }))?;
        return Ok(exit::OK);
    }
    print_text(&format!("{} {} {}\n", style.good("good"), state.manifest.id, state.manifest.version))?;
    for tool in &state.described.tools {
        print_text(&format!("  {}: {}\n", tool.name, tool.description))?;
    }
    print_text(&format!("  asks for: {}\n", none_or(&state.asked.permissions)))?;
    print_text(&format!("  sandbox: {}\n", state.level.as_str()))?;
    Ok(exit::OK)
}

/// By id, or by folder.
fn find(plugin: &str, folders: &Folders, surroundings: &Surroundings) -> Result<Found, Failure> {
    let folder = surroundings.cwd.join(plugin);
    if !folder.join(MANIFEST).is_file() {
        let by_id = folders.find(plugin);
        if by_id.is_none() && plugin.contains(['/', '.']) {
            // No id has such letters, so a folder was meant.
            folder.join(MANIFEST).metadata().map_err(Failure::io(plugin))?;
        }
        return by_id.ok_or_else(|| unknown(plugin));
    }
    let folder = folder.canonicalize().map_err(Failure::io(plugin))?;
    let id = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Found { id, folder, place: Place::Project })
}
