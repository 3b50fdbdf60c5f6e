//! Toolset files: any text is read or refused, and every set of a file that was read resolves, whatever
//! its includes.

use hermes_runtime::registry::Snapshot;
use hermes_runtime::toolsets::{Selection, Toolsets};

/// Stops at a promise that is broken.
pub fn holds(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(toolsets) = Toolsets::from_yaml(text) else { return };
    let (table, registered) = (toolsets.table(), Snapshot::default());
    for name in table.names().into_iter().chain(["all", "none"]) {
        let once = table.resolve(name, &registered);
        assert_eq!(once, table.resolve(name, &registered));
        for problem in &once.problems {
            assert!(!problem.to_string().is_empty());
        }
    }
    let everything = Selection::default().resolve(&table, &registered);
    let nothing = Selection::default().without(table.names()).resolve(&table, &registered);
    assert!(nothing.tools.is_subset(&everything.tools));
}
