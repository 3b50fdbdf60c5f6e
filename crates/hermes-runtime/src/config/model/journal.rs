//! The record of every call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The record of every call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Journal {
    /// Whether calls are recorded.
    pub enabled: bool,
    /// What an entry survives: `process` a crash of Hermes, `power` also a loss of power, at the price of a
    /// disk flush per call.
    pub durability: Durability,
}

impl Default for Journal {
    fn default() -> Self {
        Journal { enabled: true, durability: Durability::Process }
    }
}

// Variants carry no doc comments: schemars would turn the plain list of values into a `oneOf`.
#[allow(missing_docs)]
/// What a journal entry survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    #[default]
    Process,
    Power,
}
