//! `hermes explain name`: what a misspelt tool name would be read as, and what would be suggested.

use hermes_core::names;
use serde_json::{Map, Value, json};

use super::rows::{fields, lines, respond};
use crate::app::App;
use crate::failure::Failure;
use crate::render::{print_json, print_json_line, print_text};

/// The valid names of a session: what it offers, with every alias.
pub(super) async fn offered(app: &App) -> Vec<String> {
    let catalog = app.session(None).catalog().await;
    let all = catalog.tools.iter().flat_map(|tool| tool.entry.info().all_names());
    all.map(str::to_owned).collect()
}

/// A row may bring its own list of valid names, which then holds for the rows after it.
pub(super) fn row(row: &Map<String, Value>, valid: &mut Vec<String>) -> Map<String, Value> {
    if let Some(list) = row.get("names").and_then(Value::as_array) {
        *valid = list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    }
    let Some(name) = row.get("name").and_then(Value::as_str) else {
        return fields([("names", valid.len().into())]);
    };
    let known = || valid.iter().map(String::as_str);
    let exact = known().find(|valid| *valid == name);
    let repaired = exact.or_else(|| names::repair(name, known()));
    let suggestions = names::nearest(name, known(), 3);
    fields([("name", name.into()), ("repaired", repaired.into()), ("suggestions", suggestions.into())])
}

pub(super) async fn rows(app: &App) -> Result<(), Failure> {
    let mut valid = offered(app).await;
    for line in lines() {
        print_json_line(&respond(line, |fields| row(fields, &mut valid)))?;
    }
    Ok(())
}

pub(super) async fn one(name: Option<String>, app: &App, json: bool) -> Result<(), Failure> {
    let name = name.ok_or_else(|| Failure::usage("give a name, such as: hermes explain name ReadFile"))?;
    let mut valid = offered(app).await;
    let asked = json!({ "name": name });
    let answer = row(asked.as_object().unwrap_or(&Map::new()), &mut valid);
    if json {
        return print_json(&answer);
    }
    let suggested: Vec<&str> = answer
        .get("suggestions")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    match (answer.get("repaired").and_then(Value::as_str), suggested.as_slice()) {
        (Some(repaired), _) if repaired == name => print_text(&format!("'{name}' is a tool\n")),
        (Some(repaired), _) => print_text(&format!("'{name}' is read as '{repaired}'\n")),
        (None, []) => print_text(&format!("'{name}' is unknown, and nothing is near\n")),
        (None, nearest) => print_text(&format!("'{name}' is unknown; suggested: {}\n", nearest.join(", "))),
    }
}
