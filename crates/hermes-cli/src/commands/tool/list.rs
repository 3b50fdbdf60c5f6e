//! What is registered, and whether it works.

use hermes_plugins::yaml::{Kind, YamlFile};
use hermes_plugins::{Registered, RegisteredFile, clash_text, clashes};
use serde_json::{Value, json};

use crate::app::Surroundings;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(super) fn list(surroundings: &Surroundings, json: bool, style: Style) -> Result<u8, Failure> {
    let files = Registered::of(&surroundings.home).files()?;
    let mut rows: Vec<Value> = Vec::new();
    let mut table = Table::new(&["TOOL", "TYPE", "STATE", "FILE"]);
    let shown = |file: &RegisteredFile| file.path.display().to_string();
    let read: Vec<_> = files
        .iter()
        .map(|file| (file, YamlFile::read(&file.path, &shown(file), &surroundings.host)))
        .collect();
    let clashes = clashes(read.iter().filter_map(|(_, tools)| tools.as_deref().ok()));
    for (file, tools) in read {
        let shown = shown(file);
        match tools {
            Err(why) => {
                table.row(vec!["-".to_owned(), "-".to_owned(), style.bad("broken"), shown.clone()]);
                rows.push(json!({"file": shown, "error": why}));
            }
            Ok(tools) => {
                for tool in tools {
                    let kind = match tool.kind {
                        Kind::Http(_) => "http_wrapper",
                        Kind::Command(_) => "command",
                    };
                    let ready = file.consent().ready(&tool, &surroundings.host.keys);
                    let state = match clashes.get(&tool.name) {
                        Some(places) => Err(clash_text(&tool.name, places)),
                        None => ready,
                    };
                    let word = match &state {
                        Ok(()) => style.good("ready"),
                        Err(why) => style.warning(why),
                    };
                    table.row(vec![tool.name.clone(), kind.to_owned(), word, shown.clone()]);
                    rows.push(
                        json!({"name": tool.name, "type": kind, "file": shown, "problem": state.err()}),
                    );
                }
            }
        }
    }
    if json {
        print_json(&rows)?;
    } else if files.is_empty() {
        print_text("No files of tools are registered; docs/yaml-tools.md shows how.\n")?;
    } else {
        print_text(&table.render(style))?;
    }
    Ok(exit::OK)
}
