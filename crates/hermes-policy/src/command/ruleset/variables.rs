//! Variables that steer what a program loads or starts.

use serde::Deserialize;

use super::pattern::Pattern;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Variable {
    pub name: String,
    #[serde(default)]
    pub names: Vec<String>,
    /// Names by pattern, such as `HERMES_*`.
    #[serde(default)]
    pub patterns: Vec<String>,
    pub kind: VariableKind,
    /// For `matching`: what in the value is worth asking about.
    #[serde(default)]
    pub value: Option<Pattern>,
    pub category: String,
    pub reason: String,
    #[serde(rename = "match")]
    pub matches: Vec<String>,
    pub pass: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VariableKind {
    /// Any value asks.
    Always,
    /// The value is a command; well-known helpers are fine.
    Command,
    /// The value is a list of folders to search; those that anybody can write ask.
    Search,
    /// Asks if the value matches.
    Matching,
    /// The value is where packages come from.
    Registry,
}
