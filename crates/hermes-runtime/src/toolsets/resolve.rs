//! From a toolset's name to its tools, through includes with diamonds and cycles.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::fmt;

use hermes_core::names;
use serde::Serialize;

use super::table::Table;
use crate::registry::Snapshot;

/// What a toolset comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resolution {
    /// Sorted and unique. May hold names that no tool of this build carries.
    pub tools: BTreeSet<String>,
    /// All names that led there, also those that nothing is known of yet.
    pub toolsets: BTreeSet<String>,
    pub problems: Vec<Problem>,
}

/// Something wrong with a toolset, for the operator to mend.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum Problem {
    UnknownToolset {
        name: String,
        within: Option<String>,
        nearest: Vec<String>,
    },
    UnknownTool {
        name: String,
        within: String,
        nearest: Vec<String>,
    },
    /// The includes lead back to where they started.
    Cycle {
        path: Vec<String>,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let did_you_mean = |nearest: &[String]| match nearest {
            [] => String::new(),
            names => format!(" (did you mean {}?)", names.join(" or ")),
        };
        match self {
            Problem::UnknownToolset { name, within: Some(within), nearest } => {
                write!(f, "toolset '{within}' includes '{name}', which is unknown{}", did_you_mean(nearest))
            }
            Problem::UnknownToolset { name, within: None, nearest } => {
                write!(f, "unknown toolset '{name}'{}", did_you_mean(nearest))
            }
            // No toolset has a point in its name.
            Problem::UnknownTool { name, within: key, nearest } if key.contains('.') => {
                write!(f, "{key} names '{name}', which is unknown{}", did_you_mean(nearest))
            }
            Problem::UnknownTool { name, within, nearest } => {
                write!(f, "toolset '{within}' lists '{name}', which is unknown{}", did_you_mean(nearest))
            }
            Problem::Cycle { path } => write!(f, "toolsets include each other: {}", path.join(" -> ")),
        }
    }
}

impl Table {
    /// Resolves one name: a toolset, a toolset that only registered tools speak of, an MCP server or
    /// other owner id, a legacy name, or `all`.
    pub fn resolve(&self, name: &str, registered: &Snapshot) -> Resolution {
        let mut walk = Walk {
            table: self,
            registered,
            members: OnceCell::new(),
            everything: false,
            trail: Vec::new(),
            done: BTreeSet::new(),
        };
        let mut resolution = Resolution::default();
        walk.visit(name, None, &mut resolution);
        resolution.toolsets = walk.done;
        resolution.problems.sort();
        resolution.problems.dedup();
        resolution
    }

    /// Whether a selection may name this: a toolset, a registered tool's toolset, or `all`.
    pub fn is_known(&self, name: &str, registered: &Snapshot) -> bool {
        matches!(name, "all" | "*")
            || self.get(name).is_some()
            || registered.entries().any(|entry| entry.info().toolset == name)
    }
}

/// Which registered tools say they belong to which toolset. A plugin's tools join a built-in set so.
fn members_by_toolset(registered: &Snapshot) -> HashMap<&str, Vec<&str>> {
    let mut members: HashMap<&str, Vec<&str>> = HashMap::new();
    for entry in registered.entries() {
        let info = entry.info();
        members.entry(&info.toolset).or_default().push(&info.name);
        // `github` stands for the toolset `mcp-github`.
        if let Some(server) = info.toolset.strip_prefix("mcp-") {
            members.entry(server).or_default().push(&info.name);
        }
    }
    members
}

struct Walk<'a> {
    table: &'a Table,
    registered: &'a Snapshot,
    /// Made when somebody asks: it takes a look at every tool.
    members: OnceCell<HashMap<&'a str, Vec<&'a str>>>,
    /// Whether everything that is registered comes anyway, whatever its toolset.
    everything: bool,
    /// The includes that led here, to name a cycle.
    trail: Vec<String>,
    done: BTreeSet<String>,
}

impl Walk<'_> {
    fn visit(&mut self, name: &str, within: Option<&str>, into: &mut Resolution) {
        if let Some(start) = self.trail.iter().position(|step| step == name) {
            let mut path: Vec<String> = self.trail.iter().skip(start).cloned().collect();
            path.push(name.to_owned());
            into.problems.push(Problem::Cycle { path });
            return;
        }
        // Reached before on another way: a diamond, not a cycle.
        if !self.done.insert(name.to_owned()) {
            return;
        }
        self.trail.push(name.to_owned());
        self.collect(name, within, into);
        self.trail.pop();
    }

    fn collect(&mut self, name: &str, within: Option<&str>, into: &mut Resolution) {
        if matches!(name, "all" | "*") {
            self.everything = true;
            for name in self.table.names().iter().map(|name| (*name).to_owned()).collect::<Vec<_>>() {
                self.visit(&name, Some("all"), into);
            }
            // Sorted, so that the two are merged instead of put in one by one.
            into.tools
                .append(&mut self.registered.entries().map(|entry| entry.info().name.clone()).collect());
            return;
        }
        let toolset = self.table.get(name);
        let mut known = toolset.is_some();
        if !(known && self.everything) {
            let registered_here = self.members.get_or_init(|| members_by_toolset(self.registered)).get(name);
            known |= registered_here.is_some();
            into.tools.extend(registered_here.into_iter().flatten().map(|tool| (*tool).to_owned()));
        }
        if let Some(toolset) = toolset {
            let custom = self.table.custom.contains_key(name);
            for tool in &toolset.tools {
                self.add_tool(tool, name, custom, into);
            }
            if toolset.with_core {
                into.tools.extend(self.table.file.core.iter().cloned());
            }
            for include in toolset.includes.clone() {
                self.visit(&include, Some(name), into);
            }
        } else if let Some(tools) = self.table.file.legacy.get(name) {
            into.tools.extend(tools.iter().cloned());
        } else if !known {
            let nearest = names::nearest(name, self.table.names().into_iter(), 3);
            into.problems.push(Problem::UnknownToolset {
                name: name.to_owned(),
                within: within.map(str::to_owned),
                nearest: nearest.into_iter().map(str::to_owned).collect(),
            });
        }
    }

    /// Shipped sets may list tools of other builds; a name in a user's own set that nothing carries
    /// is a mistake and is reported.
    fn add_tool(&self, tool: &str, within: &str, custom: bool, into: &mut Resolution) {
        let canonical = self.registered.canonical(tool).unwrap_or(tool);
        into.tools.insert(canonical.to_owned());
        if custom && self.registered.get(tool).is_none() && !self.is_shipped_name(tool) {
            let all = self.registered.entries().map(|entry| entry.info().name.as_str());
            into.problems.push(Problem::UnknownTool {
                name: tool.to_owned(),
                within: within.to_owned(),
                nearest: names::nearest(tool, all, 3).into_iter().map(str::to_owned).collect(),
            });
        }
    }

    fn is_shipped_name(&self, tool: &str) -> bool {
        let file = &self.table.file;
        file.core.iter().any(|name| name == tool)
            || file.toolsets.values().any(|set| set.tools.iter().any(|name| name == tool))
    }
}
