//! Commands that the user wants asked about or denied, beside those that analysis knows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A command to ask about or deny, with examples that prove the rule. A rule that fails its own is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DangerousPattern {
    /// What decisions call it.
    #[schemars(length(min = 1))]
    pub name: String,
    /// Only for this program, by its name after `sudo`, `env` and other launchers are taken off.
    #[schemars(length(min = 1))]
    pub program: Option<String>,
    /// A regular expression on the resolved command: its words, joined by single spaces.
    #[schemars(length(min = 1))]
    pub pattern: Option<String>,
    /// Whether such a command is asked about, or denied whatever else allows it.
    pub class: DangerousClass,
    /// A stable word for the kind of danger.
    #[schemars(length(min = 1))]
    pub category: Option<String>,
    /// One sentence for the person who is asked.
    #[schemars(length(min = 1))]
    pub reason: String,
    /// Commands that the rule must catch; at least one.
    #[serde(rename = "match")]
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub matches: Vec<String>,
    /// Commands that it must leave alone; at least one.
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub pass: Vec<String>,
}

// Variants carry no doc comments: schemars would turn the plain list of values into a `oneOf`.
#[allow(missing_docs)]
/// What a dangerous command leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DangerousClass {
    Ask,
    Deny,
}
