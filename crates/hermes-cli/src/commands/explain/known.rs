//! Footprints of tools that are known by name only.

use std::collections::BTreeMap;
use std::path::Path;

use hermes_core::arguments::parse;
use hermes_core::path::clean;
use hermes_core::redact::Redactor;
use hermes_runtime::Footprint;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::failure::Failure;

/// The table in `known_tools.yaml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KnownTools {
    shared: Vec<String>,
    paths: BTreeMap<String, PathArguments>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct PathArguments {
    reads: Vec<String>,
    writes: Vec<String>,
    reads_or_cwd: Vec<String>,
    /// Arguments that hold a patch text, which names its own files.
    patches: Vec<String>,
}

impl KnownTools {
    pub(super) fn load() -> Result<Self, Failure> {
        serde_saphyr::from_str(include_str!("known_tools.yaml"))
            .map_err(|error| Failure::usage(error.to_string()))
    }

    /// What a call would occupy; `None` means it runs alone.
    pub(super) fn footprint(&self, name: &str, arguments: &Value, cwd: &Path) -> Option<Footprint> {
        let arguments = parse(arguments, &Redactor::none()).ok()?.arguments;
        if name == "tool_call" {
            let inner =
                arguments.get("name").and_then(Value::as_str).filter(|inner| *inner != "tool_call")?;
            return self.footprint(inner, arguments.get("arguments").unwrap_or(&Value::Null), cwd);
        }
        // A server that is not configured here is taken to allow parallel calls, as most do.
        if self.shared.iter().any(|shared| shared == name) || name.starts_with("mcp_") {
            return Some(Footprint::Shared { reads: Vec::new(), writes: Vec::new() });
        }
        self.paths.get(name)?.footprint(&arguments, cwd)
    }
}

impl PathArguments {
    fn footprint(&self, arguments: &Map<String, Value>, cwd: &Path) -> Option<Footprint> {
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for patch in self.patches.iter().filter_map(|name| arguments.get(name)?.as_str()) {
            writes.extend(files_of_patch(patch).map(|file| clean(&cwd.join(file))));
        }
        let given =
            |name: &String| arguments.get(name).and_then(Value::as_str).filter(|path| !path.is_empty());
        reads.extend(self.reads.iter().filter_map(given).map(|path| clean(&cwd.join(path))));
        writes.extend(self.writes.iter().filter_map(given).map(|path| clean(&cwd.join(path))));
        // Only a path that was named can be kept apart from others.
        if reads.is_empty() && writes.is_empty() && self.reads_or_cwd.is_empty() {
            return None;
        }
        reads.extend(self.reads_or_cwd.iter().map(|name| clean(&cwd.join(given(name).unwrap_or(".")))));
        Some(Footprint::Shared { reads, writes })
    }
}

/// The files that the header lines of a V4A patch name.
fn files_of_patch(patch: &str) -> impl Iterator<Item = &str> {
    const HEADERS: &[&str] = &["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"];
    patch
        .lines()
        .filter_map(|line| HEADERS.iter().find_map(|header| line.trim().strip_prefix(header)))
        .map(str::trim)
}
