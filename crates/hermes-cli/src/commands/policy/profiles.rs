//! `hermes policy profiles`.

use std::sync::Arc;

use hermes_policy::profile::{Body, Profile, Restriction, SHIPPED, read_shipped};
use serde_json::{Value, json};

use crate::app::PolicyMaker;
use crate::failure::{Failure, exit};
use crate::render::{Style, Table, print_json, print_text};

pub(super) fn run(name: Option<&str>, maker: &PolicyMaker, json: bool, style: Style) -> Result<u8, Failure> {
    let profiles = all(maker)?;
    let in_force = maker.profile().0;
    match name {
        None => list(&profiles, in_force, json, style)?,
        Some(name) => {
            let profile = profiles.iter().find(|profile| profile.name == name).ok_or_else(|| {
                let names: Vec<&str> = profiles.iter().map(|profile| profile.name.as_str()).collect();
                Failure::usage(format!("there is no profile '{name}'"))
                    .with_hint(format!("There are {}.", names.join(", ")))
            })?;
            show(profile, json, style)?;
        }
    }
    Ok(exit::OK)
}

/// The profiles that can be chosen: the user's, the project's, and the built-in ones they do not replace.
fn all(maker: &PolicyMaker) -> Result<Vec<Arc<Profile>>, Failure> {
    let files = maker.read(&maker.texts()?).map_err(|problems| Failure::policy(&problems))?;
    let mut profiles: Vec<Arc<Profile>> = Vec::new();
    for profile in files.iter().flat_map(|file| &file.profiles) {
        if !profiles.iter().any(|known| known.name == profile.name) {
            profiles.push(Arc::clone(profile));
        }
    }
    for shipped in SHIPPED {
        if !profiles.iter().any(|known| known.name == shipped.name) {
            let read =
                read_shipped(shipped.name, maker.ground()).map_err(|problems| Failure::policy(&problems))?;
            profiles.extend(read);
        }
    }
    Ok(profiles)
}

fn list(profiles: &[Arc<Profile>], in_force: &str, json: bool, style: Style) -> Result<(), Failure> {
    if json {
        let rows: Vec<Value> = profiles
            .iter()
            .map(|profile| {
                let extends: Vec<&str> = profile.extends.iter().map(|name| name.value.as_str()).collect();
                json!({
                    "name": profile.name, "in_force": profile.name == in_force, "file": profile.at.file,
                    "line": profile.at.line, "extends": extends, "unattended": profile.unattended,
                    "description": profile.description,
                })
            })
            .collect();
        return print_json(&rows);
    }
    let mut table = Table::new(&["PROFILE", "", "FROM", "ABOUT"]);
    for profile in profiles {
        let mark = if profile.name == in_force { style.good("in force") } else { String::new() };
        let extends: Vec<&str> = profile.extends.iter().map(|name| name.value.as_str()).collect();
        let about = match (&profile.description, extends.is_empty()) {
            (Some(text), _) => text.clone(),
            (None, false) => format!("extends {}", extends.join(", ")),
            (None, true) => about_shipped(profile),
        };
        table.row(vec![
            style.accent(&profile.name),
            mark,
            format!("{}:{}", profile.at.file, profile.at.line),
            about,
        ]);
    }
    print_text(&table.render(style))
}

fn about_shipped(profile: &Profile) -> String {
    let shipped = SHIPPED.iter().find(|shipped| *shipped.file == *profile.at.file);
    shipped.map(|shipped| shipped.about().to_owned()).unwrap_or_default()
}

fn show(profile: &Profile, json: bool, style: Style) -> Result<(), Failure> {
    let mut lines = body(&profile.body);
    for tool in &profile.tools {
        let inner = body(&tool.body)
            .into_iter()
            .map(|(key, value)| (format!("tool {}: {key}", tool.tool.value), value));
        lines.extend(inner);
    }
    if profile.unattended {
        lines.push(("unattended".to_owned(), "true".to_owned()));
    }
    if json {
        let rows: Vec<Value> = lines.iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
        return print_json(
            &json!({"name": profile.name, "file": profile.at.file, "line": profile.at.line, "rules": rows}),
        );
    }
    let mut text = format!("{} {}\n", style.bold(&profile.name), style.dim(&profile.at.to_string()));
    for name in &profile.extends {
        text.push_str(&format!("  extends {}\n", name.value));
    }
    for (key, value) in lines {
        text.push_str(&format!("  {} {value}\n", style.accent(&key)));
    }
    print_text(&text)
}

fn body(body: &Body) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let mut add = |key: &str, values: Vec<String>| {
        if !values.is_empty() {
            lines.push((key.to_owned(), values.join(", ")));
        }
    };
    let shown = |patterns: &[hermes_policy::profile::At<hermes_policy::Pattern>]| {
        patterns.iter().map(|pattern| pattern.value.to_string()).collect::<Vec<_>>()
    };
    add("allow", body.allow.as_deref().map(shown).unwrap_or_default());
    add("deny", shown(&body.deny));
    add("approval_required", shown(&body.approval_required));
    for restriction in &body.restrictions {
        add(&restriction.permission.value.to_string(), limits(restriction));
    }
    for rule in &body.rules {
        add("rule", vec![rule.to_string()]);
    }
    lines
}

fn limits(restriction: &Restriction) -> Vec<String> {
    restriction.limits().into_iter().map(|(name, values)| format!("{name} [{}]", values.join(", "))).collect()
}
