//! `tool_describe`: the whole definition of one tool or of several.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hermes_core::{Access, AnyTool, CallContext, Prepared, ToolError, ToolInfo};
use serde::Deserialize;
use serde_json::{Value, json};

use super::bridge::info;
use super::deferred::Deferred;
use crate::catalog::Listed;

/// Definitions in one answer.
const MOST_NAMES: usize = 20;

pub(super) struct DescribeTool {
    info: ToolInfo,
    deferred: Arc<Deferred>,
}

#[derive(Deserialize)]
struct Arguments {
    name: Option<String>,
    #[serde(default)]
    names: Vec<String>,
}

impl DescribeTool {
    pub(super) fn new(deferred: Arc<Deferred>) -> Self {
        let description =
            "Load the full parameters of a tool found by tool_search. Several at once: `names`.";
        let parameters = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "name": {"type": "string"},
                "names": {"type": "array", "items": {"type": "string"}, "maxItems": MOST_NAMES},
            },
        });
        DescribeTool { info: info("tool_describe", description.to_owned(), parameters), deferred }
    }
}

impl AnyTool for DescribeTool {
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn prepare(self: Arc<Self>, arguments: &Value) -> Result<Box<dyn Prepared>, ToolError> {
        let Arguments { name, names } =
            Arguments::deserialize(arguments).map_err(|error| ToolError::invalid(error.to_string()))?;
        if name.as_deref().is_none_or(str::is_empty) && names.is_empty() {
            return Err(ToolError::invalid("name is required: the tool to describe"));
        }
        Ok(Box::new(Describe { deferred: Arc::clone(&self.deferred), name, names }))
    }
}

struct Describe {
    deferred: Arc<Deferred>,
    name: Option<String>,
    names: Vec<String>,
}

impl Prepared for Describe {
    fn access(&self) -> Vec<Access> {
        Vec::new()
    }

    fn run(self: Box<Self>, _cx: CallContext) -> BoxFuture<'static, Result<Value, ToolError>> {
        Box::pin(std::future::ready(self.answer()))
    }
}

impl Describe {
    fn answer(&self) -> Result<Value, ToolError> {
        if let (Some(name), true) = (&self.name, self.names.is_empty()) {
            return self.deferred.find(name).map(described);
        }
        let all = self.name.iter().chain(&self.names).take(MOST_NAMES);
        let tools: Vec<Value> = all
            .map(|name| match self.deferred.find(name) {
                Ok(tool) => described(tool),
                Err(error) => {
                    let mut answer = json!({"name": name});
                    if let Value::Object(fields) = &mut answer {
                        fields.extend(error.to_wire());
                    }
                    answer
                }
            })
            .collect();
        Ok(json!({"tools": tools}))
    }
}

/// Name, description and the tool's own parameters, which calls are validated against.
fn described(tool: &Listed) -> Value {
    let info = tool.entry.info();
    json!({"name": tool.shown_name, "description": info.description, "parameters": info.parameters})
}
