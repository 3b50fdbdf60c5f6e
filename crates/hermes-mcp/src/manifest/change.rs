//! What stands between a server's tool and its use, and how a definition differs from the one agreed to.

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
        }
    }
}

/// A tool that waits for the user's word.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    pub tool: String,
    pub verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<ToolDef>,
    pub after: ToolDef,
    pub findings: Vec<Finding>,
}

impl Change {
    /// The change line by line: `-` what was agreed to, `+` what the server says now. Nothing in it can hide.
    pub fn lines(&self) -> Vec<String> {
        let before = self.before.as_ref().map(fields).unwrap_or_default();
        let after = fields(&self.after);
        let mut lines = Vec::new();
        for (place, old) in &before {
            if !after.contains(&(place.clone(), old.clone())) {
                lines.push(format!("- {place}: {}", hermes_core::text::visible(old)));
            }
        }
        for (place, new) in &after {
            if !before.contains(&(place.clone(), new.clone())) {
                lines.push(format!("+ {place}: {}", hermes_core::text::visible(new)));
            }
        }
        lines
    }
}

/// Every leaf of a definition with its place.
fn fields(definition: &ToolDef) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    leaves(String::new(), &sorted(serde_json::to_value(definition).unwrap_or_default()), &mut fields);
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
