//! The names that a policy may use.

use hermes_core::Owner;
use hermes_policy::profile::{Known, KnownTool};
use hermes_runtime::registry::Snapshot;
use hermes_runtime::toolsets::Toolsets;

/// Registered tools with their aliases, and the tools that toolsets speak of although this build lacks them.
pub(super) fn known(registered: &Snapshot, toolsets: &Toolsets) -> Known {
    let mut known = Known::default();
    let table = toolsets.table();
    let listed =
        table.names().into_iter().filter_map(|name| table.get(name)).flat_map(|toolset| &toolset.tools);
    for name in table.file.core.iter().chain(listed) {
        known.tools.insert(name.clone(), name.clone());
    }
    for entry in registered.entries() {
        let info = entry.info();
        known.tools.extend(info.all_names().map(|name| (name.to_owned(), info.name.clone())));
        known.toolsets.insert(info.toolset.clone());
        let facts = KnownTool {
            toolset: info.toolset.clone(),
            built_in: entry.owner == Owner::BuiltIn,
            effect: info.effect,
            parameters: info.parameters.clone(),
        };
        known.facts.insert(info.name.clone(), facts);
    }
    known.toolsets.extend(table.names().into_iter().map(str::to_owned));
    known
}
