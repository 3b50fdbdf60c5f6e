//! From a tool's own description to the object a provider accepts.

use hermes_core::schema::{Provider, normalise};
use hermes_core::{SchemaOverride, ToolInfo};
use serde_json::{Value, json};

/// Which of a tool's names the model is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Naming {
    #[default]
    Hermes,
    Chapter18,
}

impl Naming {
    pub fn shown_name(self, info: &ToolInfo) -> &str {
        match (self, &info.chapter_name) {
            (Naming::Chapter18, Some(name)) => name,
            _ => &info.name,
        }
    }
}

/// The definition of one tool for one provider, or why it must be kept back.
pub(super) fn define(
    info: &ToolInfo,
    name: &str,
    provider: Provider,
    changed: Option<SchemaOverride>,
) -> Result<Value, String> {
    let changed = changed.unwrap_or_default();
    let description = changed.description.as_deref().unwrap_or(&info.description);
    let parameters = normalise(changed.parameters.as_ref().unwrap_or(&info.parameters), provider)?;
    Ok(wrap(provider, name, description, parameters))
}

/// The provider's envelope around name, description and parameters.
pub fn wrap(provider: Provider, name: &str, description: &str, parameters: Value) -> Value {
    match provider {
        Provider::Anthropic => {
            json!({"name": name, "description": description, "input_schema": parameters})
        }
        Provider::Gemini => json!({"name": name, "description": description, "parameters": parameters}),
        Provider::OpenAi | Provider::Generic => json!({
            "type": "function",
            "function": {"name": name, "description": description, "parameters": parameters},
        }),
    }
}
