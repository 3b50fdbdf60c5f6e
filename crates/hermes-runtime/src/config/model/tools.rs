//! Settings of single tools and of how tools are named.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tool_search::ToolSearch;
use crate::config::json_schema::value_range;

/// Names, switches and limits of single tools.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Tools {
    /// Which names the model sees: `hermes` (`read_file`) or `chapter18` (`file_read`). Both are accepted in calls.
    pub naming: Naming,
    /// Tools that are never offered and never run.
    #[schemars(inner(length(min = 1)))]
    pub disabled: Vec<String>,
    /// Time limit in seconds by tool name, instead of the tool's own.
    #[schemars(transform = value_range::<1, 3_600>)]
    pub timeout_seconds: BTreeMap<String, u64>,
    /// Result limit in characters by tool name, instead of the tool's own.
    #[schemars(transform = value_range::<1_000, 10_000_000>)]
    pub max_result_chars: BTreeMap<String, usize>,
    /// When tools hide behind `tool_search`, and how it answers. `true` means `{enabled: auto}`, `false` `{enabled: off}`.
    pub tool_search: ToolSearch,
}

// Variants carry no doc comments: schemars would turn the plain list of values into a `oneOf`.
#[allow(missing_docs)]
/// Which names of tools the model sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Naming {
    #[default]
    Hermes,
    Chapter18,
}
