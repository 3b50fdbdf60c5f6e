//! One line on why a tool is or is not offered to a session.

use hermes_core::schema::notes;

use super::build::CatalogInputs;
use super::snapshot::{Catalog, Hidden};

/// Explains from the same facts the catalog was built from.
pub fn why(name: &str, catalog: &Catalog, inputs: &CatalogInputs<'_>) -> String {
    let Some(entry) = inputs.registered.get(name) else {
        return unknown(name, catalog, inputs);
    };
    let info = entry.info();
    let named = if info.name == name { name.to_owned() } else { format!("{name} (alias of {})", info.name) };
    if let Some(listed) = catalog.get(&info.name) {
        let as_name = match listed.shown_name == info.name {
            true => String::new(),
            false => format!(" as '{}'", listed.shown_name),
        };
        let found = if catalog.is_deferred(listed) { ", found by tool_search" } else { "" };
        let repaired = match notes(&info.parameters, inputs.provider, inputs.redactor) {
            notes if notes.is_empty() => String::new(),
            notes => format!("; of its schema: {}", notes.join("; ")),
        };
        return format!(
            "{named}: offered{as_name} through toolset '{}' ({}){found}{repaired}",
            info.toolset, entry.owner
        );
    }
    match catalog.hidden.get(&info.name) {
        Some(Hidden::Unavailable(reason)) => return format!("{named}: not offered: unavailable: {reason}"),
        Some(Hidden::KeptBack(reason)) => return format!("{named}: not offered: {reason}"),
        Some(Hidden::Quarantined(reason)) => {
            return format!("{named}: not offered: its schema is quarantined: {reason}");
        }
        Some(Hidden::Denied(reason)) => return format!("{named}: not offered: denied by {reason}"),
        Some(Hidden::ByHook(reason)) => return format!("{named}: not offered: hidden by a hook: {reason}"),
        None => {}
    }
    if inputs.parent.is_some_and(|parent| parent.get(&info.name).is_none()) {
        return format!("{named}: not offered: the parent session does not have it");
    }
    format!("{named}: not offered: {}", selection_reason(&info.name, &info.toolset, inputs))
}

/// A call of a name that is not there may still be read as one that is.
fn unknown(name: &str, catalog: &Catalog, inputs: &CatalogInputs<'_>) -> String {
    let all = inputs.registered.entries().map(|entry| entry.info().name.as_str());
    let near = match hermes_core::names::nearest(name, all, 3).as_slice() {
        [] => String::new(),
        nearest => format!("; nearest: {}", nearest.join(", ")),
    };
    match catalog.get_repaired(name) {
        Some(meant) => {
            let meant = why(&meant.entry.info().name, catalog, inputs);
            format!("{name}: no such tool{near}; a call of it is read as {meant}")
        }
        None => match promising(name, inputs) {
            Some(toolset) => format!(
                "{name}: not offered: toolset '{toolset}' lists it, but nothing here provides it; a plugin, a YAML file or a \
                 server can"
            ),
            None => format!("{name}: not offered: no such tool{near}"),
        },
    }
}

/// The smallest toolset that lists a name which no tool has: who read of it there is owed an answer.
fn promising(name: &str, inputs: &CatalogInputs<'_>) -> Option<String> {
    let table = inputs.toolsets.table();
    let lists = |set: &&str| table.get(set).is_some_and(|set| set.tools.iter().any(|tool| tool == name));
    let size = |set: &&str| table.get(set).map_or(0, |set| set.tools.len());
    table.names().into_iter().filter(lists).min_by_key(size).map(str::to_owned)
}

fn selection_reason(name: &str, toolset: &str, inputs: &CatalogInputs<'_>) -> String {
    let selection = inputs.selection;
    let names_tool =
        |tool: &String| inputs.registered.canonical(tool).is_some_and(|canonical| canonical == name);
    if selection.disabled_tools.iter().any(names_tool) {
        return "it is listed in tools.disabled".to_owned();
    }
    let table = inputs.toolsets.table();
    let holding = |set: &&String| table.resolve(set, inputs.registered).tools.contains(name);
    if let Some(disabled) = selection.disabled.iter().find(holding) {
        return format!("toolset '{disabled}' is disabled");
    }
    match selection.enabled.as_deref() {
        Some([]) => "no toolset is enabled".to_owned(),
        Some(enabled) => {
            format!("none of the enabled toolsets ({}) has it; it belongs to '{toolset}'", enabled.join(", "))
        }
        None => format!("no toolset lists it; it belongs to '{toolset}'"),
    }
}
