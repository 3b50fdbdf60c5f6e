//! The providers whose dialect of JSON Schema differs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Whose rules a schema must follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// OpenAI-compatible servers of unknown strictness.
    #[default]
    Generic,
    OpenAi,
    Anthropic,
    Gemini,
}

impl Provider {
    pub const ALL: [Provider; 4] =
        [Provider::Generic, Provider::OpenAi, Provider::Anthropic, Provider::Gemini];

    pub const fn as_str(self) -> &'static str {
        match self {
            Provider::Generic => "generic",
            Provider::OpenAi => "openai",
            Provider::Anthropic => "anthropic",
            Provider::Gemini => "gemini",
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Provider {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Provider::ALL
            .into_iter()
            .find(|provider| provider.as_str().eq_ignore_ascii_case(name.trim()))
            .ok_or_else(|| format!("unknown provider '{name}'; known: generic, openai, anthropic, gemini"))
    }
}
