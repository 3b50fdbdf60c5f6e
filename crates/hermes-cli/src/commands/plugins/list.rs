//! What is there, and what of it may run.

use hermes_plugins::plugin::{Enabled, EnabledPlugin, Folders, Found, Place, digest_of, read_manifest};
use serde_json::{Value, json};

use crate::app::Surroundings;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(super) fn list(
    folders: &Folders,
    surroundings: &Surroundings,
    json: bool,
    style: Style,
) -> Result<u8, Failure> {
    let enabled = Enabled::of(&surroundings.home).all()?;
    let mut table = Table::new(&["PLUGIN", "PLACE", "STATE", "TOOLS", "DESCRIPTION"]);
    let mut rows: Vec<Value> = Vec::new();
    let all = folders.all();
    for found in &all {
        let plugin = enabled.get(&found.id);
        let manifest = read_manifest(&found.folder);
        let state = match &manifest {
            Ok(_) => state(found, plugin),
            Err(_) => "broken",
        };
        let tools: Vec<&str> =
            plugin.iter().flat_map(|plugin| &plugin.described.tools).map(|tool| tool.name.as_str()).collect();
        let description =
            manifest.as_ref().map_or_else(|why| why.clone(), |manifest| manifest.description.clone());
        table.row(vec![
            found.id.clone(),
            found.place.as_str().to_owned(),
            if state == "enabled" { style.good(state) } else { style.warning(state) },
            tools.join(", "),
            description.lines().next().unwrap_or_default().to_owned(),
        ]);
        rows.push(json!({
            "id": found.id,
            "place": found.place,
            "folder": found.folder,
            "state": state,
            "tools": tools,
            "granted": plugin.map(|plugin| &plugin.grant),
            "description": description,
        }));
    }
    if json {
        print_json(&rows)?;
    } else if all.is_empty() {
        print_text("There are no plugins; 'hermes plugins new NAME' writes one to start from.\n")?;
    } else {
        print_text(&table.render(style))?;
    }
    Ok(exit::OK)
}

fn state(found: &Found, plugin: Option<&EnabledPlugin>) -> &'static str {
    let same_folder =
        |plugin: &&EnabledPlugin| found.folder.canonicalize().is_ok_and(|folder| folder == plugin.folder);
    let Some(plugin) = plugin.filter(same_folder) else { return "not enabled" };
    let same =
        plugin.place == Place::User || digest_of(&found.folder).is_ok_and(|digest| digest == plugin.digest);
    if same { "enabled" } else { "changed" }
}
