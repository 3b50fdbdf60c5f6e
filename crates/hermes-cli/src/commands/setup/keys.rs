//! Which keys are needed, by whom, and whether they are there.

use std::collections::BTreeMap;

use hermes_core::Need;
use hermes_plugins::plugin::Enabled;
use hermes_plugins::yaml::YamlFile;
use hermes_plugins::{EnvNeed, Registered, can_be_hidden};

use crate::app::App;
use crate::failure::Failure;

/// One variable and the tools that want it.
pub(crate) struct Key {
    pub(crate) need: EnvNeed,
    pub(crate) tools: Vec<String>,
    pub(crate) set: bool,
    /// It is set, and what tools answer is not kept free of it.
    pub(crate) shows: bool,
}

/// Every key that a tool of this installation needs, sorted by name.
pub(crate) fn keys(app: &App) -> Result<Vec<Key>, Failure> {
    let mut wanted: Vec<(EnvNeed, String)> = Vec::new();
    let snapshot = app.runtime.registry().snapshot();
    for entry in snapshot.entries() {
        for need in &entry.info().needs {
            if let Need::Env(name) = need {
                wanted.push((EnvNeed::named(*name), entry.info().name.clone()));
            }
        }
    }
    let surroundings = &app.surroundings;
    for file in Registered::of(&surroundings.home).files()? {
        // What is wrong with a file was told when it was loaded.
        for tool in YamlFile::read(&file.path, "", &surroundings.host).unwrap_or_default() {
            wanted.extend(tool.needs().into_iter().map(|need| (need, tool.name.clone())));
        }
    }
    for plugin in Enabled::of(&surroundings.home).all()?.into_values() {
        for tool in &plugin.described.tools {
            let needs = plugin.described.requires_env.iter().cloned();
            wanted.extend(needs.map(|need| (need, tool.name.clone())));
        }
    }
    let mut keys: BTreeMap<String, Key> = BTreeMap::new();
    for (need, tool) in wanted {
        let value = surroundings.host.keys.get(&need.name);
        let (set, shows) = (value.is_some(), value.is_some_and(|value| !can_be_hidden(&value)));
        let fresh = || Key { need: need.clone(), tools: Vec::new(), set, shows };
        let key = keys.entry(need.name.clone()).or_insert_with(fresh);
        // Whoever says more about a key is believed; it is optional only if it is so for all.
        let optional = key.need.optional && need.optional;
        if key.need.description.is_none() && key.need.url.is_none() {
            key.need = need;
        }
        key.need.optional = optional;
        key.tools.push(tool);
        key.tools.sort();
        key.tools.dedup();
    }
    for key in keys.values_mut() {
        key.shows &= key.need.is_secret();
    }
    Ok(keys.into_values().collect())
}
