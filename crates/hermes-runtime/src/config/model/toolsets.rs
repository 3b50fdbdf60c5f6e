//! Toolsets that the user makes from existing tools and sets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A toolset of your own: its tools, plus everything in the sets it includes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CustomToolset {
    /// One line shown in lists.
    pub description: String,
    /// Names of tools.
    #[schemars(inner(length(min = 1)))]
    pub tools: Vec<String>,
    /// Names of other toolsets.
    #[schemars(inner(length(min = 1)))]
    pub includes: Vec<String>,
}
