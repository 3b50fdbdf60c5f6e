//! Settings of tool search.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whole as a switch, or key by key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ToolSearch {
    Switch(bool),
    Word(SearchWord),
    Table(SearchTable),
}

/// The keys of `tools.tool_search`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SearchTable {
    /// `auto` defers tools when their definitions would fill too much of the model's context, `on` whenever there is a tool to defer, `off` never. Anything else counts as `auto`.
    pub enabled: SearchSwitch,
    /// The share of the context, in percent, from which `auto` defers. Held between 0 and 100; what is no number counts as unset, here and below.
    pub threshold_pct: u64,
    /// Hits when the model asks for no number. Held between 1 and `max_search_limit`.
    pub search_default_limit: u64,
    /// Most hits the model can ask for. Held between 1 and 50.
    pub max_search_limit: u64,
    /// The model's context in tokens, where the application does not say. Unset: `auto` defers from 20,000 tokens of definitions, and at once where `threshold_pct` is 0.
    pub context_tokens: Option<u64>,
    /// Tokens that `tool_search` may spend on whole schemas of its best hits. 0 leaves them to `tool_describe`.
    pub schema_tokens: u64,
    /// How much of each definition the model sees: `full`, `slim` (first sentences), `stub` (names and types), or `auto`, the most that fits `definition_tokens`.
    pub definitions: DefinitionDetail,
    /// Tokens that `auto` lets the definitions take while tools are deferred.
    pub definition_tokens: u64,
    /// Rank by meaning as well, with the encoder of this binary.
    pub encoder: bool,
    /// Remember which tool was called after which search, on this machine only.
    pub learn: bool,
    /// Other words for a tool, by its name: `{create_issue: [bug, defect]}`.
    pub aliases: BTreeMap<String, Vec<String>>,
}

impl Default for SearchTable {
    fn default() -> Self {
        SearchTable {
            enabled: SearchSwitch::default(),
            threshold_pct: 10,
            search_default_limit: 5,
            max_search_limit: 20,
            context_tokens: None,
            schema_tokens: 1_000,
            definitions: DefinitionDetail::default(),
            definition_tokens: 4_000,
            encoder: true,
            learn: true,
            aliases: BTreeMap::new(),
        }
    }
}

impl Default for ToolSearch {
    fn default() -> Self {
        ToolSearch::Table(SearchTable::default())
    }
}

impl ToolSearch {
    /// The keys, whichever way they were written.
    pub fn table(&self) -> SearchTable {
        match self {
            ToolSearch::Table(table) => table.clone(),
            ToolSearch::Switch(false) | ToolSearch::Word(SearchWord::Off | SearchWord::No) => {
                SearchTable { enabled: SearchSwitch::Word(SearchWord::Off), ..SearchTable::default() }
            }
            // `on` for the whole key is the `true` of other readers of YAML.
            ToolSearch::Switch(true) | ToolSearch::Word(_) => SearchTable::default(),
        }
    }
}

/// A word, or what other versions had: `true`, `yes` and 1 are `on`, `false`, `no` and 0 are `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SearchSwitch {
    Word(SearchWord),
    Switch(bool),
    Number(u8),
}

impl Default for SearchSwitch {
    fn default() -> Self {
        SearchSwitch::Word(SearchWord::Auto)
    }
}

impl SearchSwitch {
    pub fn word(self) -> SearchWord {
        match self {
            SearchSwitch::Word(SearchWord::Auto) => SearchWord::Auto,
            SearchSwitch::Word(SearchWord::Off | SearchWord::No)
            | SearchSwitch::Switch(false)
            | SearchSwitch::Number(0) => SearchWord::Off,
            SearchSwitch::Word(_) | SearchSwitch::Switch(true) | SearchSwitch::Number(_) => SearchWord::On,
        }
    }
}

// Variants carry no doc comments: schemars would turn the plain list of values into a `oneOf`.
#[allow(missing_docs)]
/// When tools are deferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchWord {
    Auto,
    On,
    Off,
    Yes,
    No,
}

#[allow(missing_docs)]
/// How much of a definition the model sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DefinitionDetail {
    #[default]
    Auto,
    Full,
    Slim,
    #[serde(rename = "stub")]
    Outline,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn switches_are_read_as_other_versions_wrote_them() {
        let enabled = |value: Value| -> SearchWord {
            let table: SearchTable = serde_json::from_value(json!({"enabled": value})).unwrap();
            table.enabled.word()
        };
        for value in [json!("on"), json!("yes"), json!(true), json!(1)] {
            assert_eq!(enabled(value), SearchWord::On);
        }
        for value in [json!("off"), json!("no"), json!(false), json!(0)] {
            assert_eq!(enabled(value), SearchWord::Off);
        }
        let whole = |value: Value| -> SearchWord {
            serde_json::from_value::<ToolSearch>(value).unwrap().table().enabled.word()
        };
        assert_eq!([true, false].map(|value| whole(json!(value))), [SearchWord::Auto, SearchWord::Off]);
        assert_eq!(
            ["on", "auto", "off"].map(|value| whole(json!(value))),
            [SearchWord::Auto, SearchWord::Auto, SearchWord::Off]
        );
    }
}
