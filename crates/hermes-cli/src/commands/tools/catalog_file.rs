//! Files of tools, one JSON object a line; a line that cannot be read is named.

use std::path::Path;

use hermes_search::Document;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::failure::Failure;

/// A tool of a catalog file.
#[derive(Deserialize)]
pub(super) struct Tool {
    name: String,
    #[serde(default)]
    tool: Option<String>,
    #[serde(default)]
    server: Option<String>,
    #[serde(default)]
    description: Option<String>,
    /// As catalogs call it, or as `tools/list` of MCP does.
    #[serde(default, alias = "inputSchema", alias = "input_schema")]
    parameters: Value,
    /// The catalogs this line belongs to; none means all.
    #[serde(default)]
    catalogs: Option<Vec<String>>,
}

impl Tool {
    pub(super) fn is_in(&self, catalog: &str) -> bool {
        self.catalogs.as_ref().is_none_or(|own| own.iter().any(|name| name == catalog))
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn document(&self) -> Document {
        Document {
            bare: self.tool.clone().unwrap_or_else(|| self.name.clone()),
            name: self.name.clone(),
            server: self.server.clone().unwrap_or_default(),
            description: self.description.clone().unwrap_or_default(),
            parameters: self.parameters.clone(),
            aliases: Vec::new(),
        }
    }
}

/// One value a line; empty lines are nothing.
pub(super) fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Failure> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(Failure::io(&shown))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.trim_start().starts_with('[') {
        let hint = "one JSON object a line is wanted, not a list; 'jq -c .[]' makes lines of it";
        return Err(Failure::usage(format!("{shown}: {hint}")));
    }
    let filled = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    filled
        .map(|(line, number)| {
            // Its own position is one within the line.
            serde_json::from_str(line).map_err(|error| {
                let (said, column) = (error.to_string(), error.column());
                let said = said.split(" at line ").next().unwrap_or_default();
                Failure::usage(format!("{shown}:{number}:{column}: {said}"))
            })
        })
        .collect()
}
