//! The shape of `toolsets.yaml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One named bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Toolset {
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub tools: Vec<String>,
    #[serde(default)]
    pub includes: Vec<String>,
    /// Starts from the core list.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub with_core: bool,
    /// Disabling a preset takes away only what it adds to the core, so switching a platform off never
    /// strips the tools every platform shares.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub preset: bool,
}

/// A whole file of toolsets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolsetFile {
    /// The tools that every platform preset shares.
    #[serde(default)]
    pub core: Vec<String>,
    /// Toolsets that go with any non-empty selection, because results may refer to their tools.
    #[serde(default)]
    pub companions: Vec<String>,
    /// Old names, still accepted in selections: each stands for a list of tools.
    #[serde(default)]
    pub legacy: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub toolsets: BTreeMap<String, Toolset>,
}
