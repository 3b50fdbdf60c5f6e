//! Which tools a session asked for: toolsets in, toolsets out.

use std::collections::BTreeSet;

use hermes_core::names::{could_be, normalise};

use super::resolve::{Problem, Resolution};
use super::table::Table;
use crate::registry::Snapshot;

/// The toolsets a session wants and does not want.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// `None` selects every toolset; an empty list selects nothing.
    pub enabled: Option<Vec<String>>,
    /// Subtracted last.
    pub disabled: Vec<String>,
    /// Single tools taken away, by name or alias.
    pub disabled_tools: Vec<String>,
    /// Tools that settings are made for, each with the key that names it: one that nothing has is likely misspelt.
    pub set_up: Vec<(String, String)>,
}

impl Selection {
    /// Exactly these toolsets.
    pub fn only<I: IntoIterator<Item = S>, S: Into<String>>(enabled: I) -> Self {
        Selection { enabled: Some(enabled.into_iter().map(Into::into).collect()), ..Selection::default() }
    }

    #[must_use]
    pub fn without<I: IntoIterator<Item = S>, S: Into<String>>(mut self, disabled: I) -> Self {
        self.disabled.extend(disabled.into_iter().map(Into::into));
        self
    }

    /// The tools that the selection comes to, with everything that is wrong with it.
    pub fn resolve(&self, table: &Table, registered: &Snapshot) -> Resolution {
        let mut selected = Resolution::default();
        match &self.enabled {
            None => merge(&mut selected, table.resolve("all", registered)),
            Some(enabled) => {
                for name in enabled {
                    merge(&mut selected, table.resolve(name, registered));
                }
                // A name that means nothing must not bring companions: it selects nothing.
                if !selected.tools.is_empty() {
                    for companion in &table.file.companions {
                        merge(&mut selected, table.resolve(companion, registered));
                    }
                }
            }
        }
        for name in &self.disabled {
            let mut removed = table.resolve(name, registered);
            if table.get(name).is_some_and(|toolset| toolset.preset) {
                let core: BTreeSet<_> = table.file.core.iter().collect();
                removed.tools.retain(|tool| !core.contains(tool));
            }
            selected.tools.retain(|tool| !removed.tools.contains(tool));
            selected.problems.append(&mut removed.problems);
        }
        for tool in &self.disabled_tools {
            let canonical = registered.canonical(tool).unwrap_or(tool);
            let before = selected.tools.len();
            selected.tools.retain(|selected| !could_be(selected, canonical));
            if selected.tools.len() == before && registered.get(tool).is_none() {
                selected.problems.push(unknown_tool(tool, "tools.disabled", registered));
            }
        }
        let unknown = self.set_up.iter().filter(|(_, tool)| registered.get(tool).is_none());
        selected.problems.extend(unknown.map(|(key, tool)| unknown_tool(tool, key, registered)));
        selected.problems.sort();
        selected.problems.dedup();
        selected
    }

    /// Whether the selection would take tools of an MCP server that has shown none yet: by its toolset, by its bare name,
    /// or by the name of a tool that may be one of its.
    pub fn may_take(&self, server: &str, table: &Table, registered: &Snapshot) -> bool {
        let toolset = format!("mcp-{server}");
        let of_server =
            |found: &Resolution| found.toolsets.contains(&toolset) || found.toolsets.contains(server);
        let beginning = format!("mcp_{}_", normalise(server));
        let one_of_its = |tool: &String| normalise(tool).starts_with(&beginning);
        let taken = self.enabled.as_ref().is_none_or(|enabled| {
            enabled
                .iter()
                .map(|name| table.resolve(name, registered))
                .any(|found| of_server(&found) || found.tools.iter().any(one_of_its))
        });
        taken && !self.disabled.iter().any(|name| of_server(&table.resolve(name, registered)))
    }
}

fn merge(into: &mut Resolution, mut from: Resolution) {
    into.tools.append(&mut from.tools);
    into.toolsets.append(&mut from.toolsets);
    into.problems.extend(from.problems);
}

fn unknown_tool(name: &str, within: &str, registered: &Snapshot) -> Problem {
    let all = registered.entries().map(|entry| entry.info().name.as_str());
    Problem::UnknownTool {
        name: name.to_owned(),
        within: within.to_owned(),
        nearest: hermes_core::names::nearest(name, all, 3).into_iter().map(str::to_owned).collect(),
    }
}
