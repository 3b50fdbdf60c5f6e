//! Whose schema dialect the model's provider speaks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// Variants carry no doc comments: schemars would turn the plain list of values into a `oneOf`.
#[allow(missing_docs)]
/// The provider that tool schemas are shaped for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    Generic,
    #[default]
    #[serde(rename = "openai")]
    OpenAi,
    Anthropic,
    Gemini,
}
