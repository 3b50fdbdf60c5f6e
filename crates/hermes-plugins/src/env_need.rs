//! The variables that tools need, and how a person comes by their values: declared once, asked for by
//! `hermes setup`.

use hermes_core::yaml::{Kind, Node, Reader, quote};
use hermes_host::secrets::is_secret_name;
use serde::{Deserialize, Serialize};

const KEYS: &[&str] = &["name", "description", "prompt", "url", "secret", "optional"];

/// A variable that tools need, and how a person comes by its value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvNeed {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Whether the value is hidden while it is typed; names that sound secret are, unless this says no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<bool>,
    #[serde(default)]
    pub optional: bool,
}

impl EnvNeed {
    /// A need of which only the name is known.
    pub fn named(name: impl Into<String>) -> Self {
        EnvNeed { name: name.into(), ..EnvNeed::default() }
    }

    /// Whether the value is hidden while it is typed.
    pub fn is_secret(&self) -> bool {
        self.secret.unwrap_or_else(|| is_secret_name(&self.name))
    }
}

/// Reads `requires_env`: names, or tables that say more.
pub(crate) fn needs(reader: &mut Reader, node: &Node) -> Vec<EnvNeed> {
    let mut all = Vec::new();
    for item in reader.list(node, "requires_env").unwrap_or_default() {
        let mut need = EnvNeed::default();
        if let Kind::Map(_) = &item.kind {
            for (key, value) in reader.table(item, "a variable", KEYS) {
                match key.name.as_str() {
                    "optional" => need.optional = reader.switch(value, "optional"),
                    "secret" => need.secret = Some(reader.switch(value, "secret")),
                    other => {
                        let text = reader.text(value, other).map(|text| text.value);
                        match other {
                            "name" => need.name = text.unwrap_or_default(),
                            "description" => need.description = text,
                            "prompt" => need.prompt = text,
                            _ => need.url = text,
                        }
                    }
                }
            }
        } else if let Some(name) = reader.text(item, "a variable") {
            need.name = name.value;
        }
        if is_variable(&need.name) {
            all.push(need);
        } else {
            reader.error(item.at, format!("{} is no name of a variable", quote(&need.name)), None);
        }
    }
    all
}

/// Whether anybody may ask for this variable. What decides what programs load is nobody's to ask for.
pub(crate) fn is_variable(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 128
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && !["LD_", "DYLD_", "PYTHON"].iter().any(|start| text.starts_with(start))
}
