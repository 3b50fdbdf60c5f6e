//! What plugins may do beyond adding tools.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What plugins may do beyond adding tools.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Plugins {
    /// Settings by plugin id.
    pub entries: BTreeMap<String, PluginEntry>,
}

/// Settings of one plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PluginEntry {
    /// Whether the plugin may replace a tool that already has its name.
    pub allow_tool_override: bool,
}
