//! From a tool's own description to the object a provider accepts.

use hermes_core::schema::{Provider, normalise};
use hermes_core::{SchemaOverride, ToolInfo};
use serde_json::Value;

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
    let schema = if provider == Provider::Anthropic { "input_schema" } else { "parameters" };
    // Moved in: `json!` would copy the parameters once more.
    let tool = object([("name", name.into()), ("description", description.into()), (schema, parameters)]);
    match provider {
        Provider::Anthropic | Provider::Gemini => tool,
        Provider::OpenAi | Provider::Generic => object([("type", "function".into()), ("function", tool)]),
    }
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
