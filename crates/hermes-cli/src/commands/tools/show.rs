//! `hermes tools show`.

use hermes_kit::{BuiltIns, Expect};
use hermes_runtime::catalog::Catalog;
use serde_json::{Value, json};

use crate::app::App;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(super) async fn show(name: &str, app: &App, json: bool, style: Style) -> Result<u8, Failure> {
    let session = app.session(None);
    let registered = app.runtime.registry().snapshot();
    let Some(entry) = registered.get(name) else {
        return Err(unknown(name, &*session.catalog().await));
    };
    let info = entry.info();
    if json {
        print_json(&json!({
            "tool": info,
            "owner": entry.owner.to_string(),
            "why": session.why(name).await,
            "examples": examples(&info.name),
        }))?;
        return Ok(exit::OK);
    }
    let mut text = format!("{} {}\n{}\n\n", info.emoji, style.bold(&info.name), info.description);
    let aliases: Vec<&str> = info.all_names().skip(1).collect();
    let facts = [
        ("toolset", info.toolset.clone()),
        ("aliases", aliases.join(", ")),
        ("effect", word(&info.effect)),
        ("beside others", word(&info.parallel)),
        ("idempotent", info.idempotent.to_string()),
        ("timeout", format!("{} s", info.timeout.as_secs())),
        ("result limit", format!("{} characters", info.max_result_chars)),
        ("offered", session.why(name).await),
    ];
    for (label, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
        text.push_str(&format!("{} {value}\n", style.dim(&format!("{label:>14}"))));
    }
    text.push_str(&format!("\n{}", arguments(&info.parameters, style)));
    for example in examples(&info.name) {
        let title = example.get("title").and_then(Value::as_str).unwrap_or_default();
        let arguments = example.get("args").map(ToString::to_string).unwrap_or_default();
        text.push_str(&format!("\n{}\n  hermes tools call {} '{arguments}'\n", style.dim(title), info.name));
    }
    print_text(&text)?;
    Ok(exit::OK)
}

pub(super) fn unknown(name: &str, catalog: &Catalog) -> Failure {
    let failure = Failure::usage(format!("there is no tool '{name}'"));
    match catalog.nearest(name, 3).as_slice() {
        [] => failure.with_hint("'hermes tools list' shows all."),
        nearest => failure.with_hint(format!("Did you mean {}?", nearest.join(" or "))),
    }
}

fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn arguments(schema: &Value, style: Style) -> String {
    let mut table = Table::new(&["ARGUMENT", "TYPE", "DEFAULT", "MEANING"]);
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let text = |key: &str| property.get(key).and_then(Value::as_str).unwrap_or_default();
        let default = match (property.get("default"), required.contains(&name.as_str())) {
            (_, true) => style.warning("required"),
            (Some(default), _) => default.to_string(),
            (None, _) => String::new(),
        };
        table.row(vec![style.accent(name), kind(property), default, text("description").to_owned()]);
    }
    if table.is_empty() { "No arguments.\n".to_owned() } else { table.render(style) }
}

fn kind(property: &Value) -> String {
    if let Some(members) = property.get("enum").and_then(Value::as_array) {
        let shown: Vec<String> = members.iter().map(|member| member.to_string().replace('"', "")).collect();
        return shown.join("|");
    }
    match property.get("type") {
        Some(Value::String(kind)) => kind.clone(),
        Some(other) => other.to_string(),
        None => "any".to_owned(),
    }
}

fn examples(name: &str) -> Vec<Value> {
    let registrations = BuiltIns::registrations();
    let found = registrations.iter().find(|registration| registration.meta.name == name);
    let examples = found.map(|registration| (registration.examples)()).unwrap_or_default();
    examples
        .into_iter()
        .map(|example| {
            let expect = match example.expect {
                Expect::Success(fields) => json!({"success": fields}),
                Expect::Failure(code) => json!({"error": code}),
            };
            json!({"title": example.title, "args": example.args, "expect": expect})
        })
        .collect()
}
