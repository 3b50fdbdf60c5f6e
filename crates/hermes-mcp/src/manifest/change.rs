//! What stands between a server's tool and its use, and how a definition differs from the one agreed to.

use hermes_core::text::visible;
use hermes_core::{ErrorCode, ToolError};
use serde::Serialize;
use serde_json::Value;

use super::definition::{ToolDef, sorted};
use crate::text::Finding;

/// Whether a tool may be used as the server defines it now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The user agreed to exactly this definition.
    Accepted,
    /// It appeared after the server was first used.
    New,
    /// It is not what the user agreed to.
    Changed,
    /// It was never agreed to, and its texts try to instruct or to hide.
    Suspicious,
    /// It would take the place of a tool of Hermes.
    TakesName,
    /// The user's entry names another program or address than when it was agreed to.
    Moved,
    /// The server says it is another one than the one that was agreed to.
    OtherServer,
}

impl Verdict {
    pub const fn is_accepted(self) -> bool {
        matches!(self, Verdict::Accepted)
    }

    /// Why the tool is kept back, as one phrase.
    pub const fn reason(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::New => "the server added it later",
            Verdict::Changed => "its definition changed after it was accepted",
            Verdict::Suspicious => "its texts look like instructions to a model",
            Verdict::TakesName => {
                "it has the name of a tool that Hermes has for the server's resources or prompts"
            }
            Verdict::Moved => "the server's entry names another program or address than before",
            Verdict::OtherServer => "the server says it is another one than before",
        }
    }

    /// The same refusal wherever a tool is asked for.
    pub(crate) fn permits(self, tool: &str, server: &str) -> Result<(), ToolError> {
        if self.is_accepted() {
            return Ok(());
        }
        let text = format!("'{tool}' is quarantined: {}", self.reason());
        let way_out = format!("The user can look at it and agree with: hermes mcp trust {server}");
        Err(ToolError::new(ErrorCode::PermissionDenied, text).with_hint(way_out))
    }
}

/// A tool or a prompt that waits for the user's word.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// What it is called here: the tool's name, or `prompt` and the prompt's.
    pub tool: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_prompt: bool,
    pub verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<ToolDef>,
    pub after: ToolDef,
    pub findings: Vec<Finding>,
}

impl Change {
    /// The change line by line: `-` what was agreed to, `+` what the server says now. Nothing in it can hide.
    pub fn lines(&self) -> Vec<String> {
        let fields = |definition: &ToolDef| fields(definition, self.is_prompt);
        let before = self.before.as_ref().map(fields).unwrap_or_default();
        let after = fields(&self.after);
        let mut lines = Vec::new();
        for (place, old) in &before {
            if !after.contains(&(place.clone(), old.clone())) {
                lines.push(visible(&format!("- {place}: {old}")));
            }
        }
        for (place, new) in &after {
            if !before.contains(&(place.clone(), new.clone())) {
                lines.push(visible(&format!("+ {place}: {new}")));
            }
        }
        lines
    }
}

/// A server that is another one than the one that was agreed to: by its own word, or because the user's entry names
/// another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherServer {
    pub verdict: Verdict,
    pub before: String,
    pub after: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configured_before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configured_after: Option<String>,
}

impl OtherServer {
    /// Who it is now, in both ways.
    pub(super) fn shown(&self) -> (String, Option<String>) {
        (self.after.clone(), self.configured_after.clone())
    }

    /// The change as [`Change::lines`] shows it.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut differ = |what: &str, before: &str, after: &str| {
            if before != after {
                lines.extend(
                    [('-', before), ('+', after)].map(|(sign, is)| visible(&format!("{sign} {what}: {is}"))),
                );
            }
        };
        differ("serverInfo.name", &self.before, &self.after);
        let configured = |text: &Option<String>| text.clone().unwrap_or_default();
        differ("configured as", &configured(&self.configured_before), &configured(&self.configured_after));
        lines
    }
}

/// Every leaf of a definition with its place.
fn fields(definition: &ToolDef, is_prompt: bool) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    leaves(String::new(), &sorted(serde_json::to_value(definition).unwrap_or_default()), &mut fields);
    // A prompt has no schema, it has a list.
    for (place, _) in fields.iter_mut().filter(|_| is_prompt) {
        *place = place.replacen("inputSchema", "arguments", 1);
    }
    fields
}

fn leaves(at: String, value: &Value, into: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, field) in fields {
                leaves(if at.is_empty() { name.clone() } else { format!("{at}.{name}") }, field, into);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(index, item)| leaves(format!("{at}[{index}]"), item, into));
        }
        Value::String(text) => into.push((at, text.clone())),
        other => into.push((at, other.to_string())),
    }
}
