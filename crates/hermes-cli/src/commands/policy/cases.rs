//! Test cases as they are written in YAML.

use hermes_core::{ToolCall, Verdict};
use hermes_runtime::{Preview, Session};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::subject::{AccessForm, NamedAccess, preview};
use crate::app::App;
use crate::failure::Failure;

/// One case: a call or named accesses, and what must come out.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    pub(super) name: String,
    call: Option<CallForm>,
    access: Option<Vec<AccessForm>>,
    /// The tool of `access`.
    tool: Option<String>,
    toolset: Option<String>,
    server: Option<String>,
    #[serde(default)]
    arguments: Map<String, Value>,
    pub(super) actor: Option<String>,
    pub(super) profile: Option<String>,
    pub(super) expect: Expected,
    /// A part of the deciding rule.
    pub(super) rule: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CallForm {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Expected {
    Allow,
    Ask,
    Deny,
}

impl From<Expected> for Verdict {
    fn from(expected: Expected) -> Self {
        match expected {
            Expected::Allow => Verdict::Allow,
            Expected::Ask => Verdict::Ask,
            Expected::Deny => Verdict::Deny,
        }
    }
}

impl Case {
    /// The cases of a text. `file` is named in errors.
    pub(super) fn read_all(file: &str, text: &str) -> Result<Vec<Case>, Failure> {
        let cases: Vec<Case> =
            serde_saphyr::from_str(text).map_err(|error| Failure::usage(format!("{file}: {error}")))?;
        // A list that got lost must not look like one that holds.
        if cases.is_empty() {
            return Err(Failure::usage(format!("{file}: there is no case in it")));
        }
        Ok(cases)
    }

    /// What the policy would be asked.
    pub(super) async fn preview(self, app: &App, session: &Session) -> Result<Preview, Failure> {
        match (self.call, self.access) {
            (Some(call), None) => {
                preview(&ToolCall::new("", &call.name, Value::Object(call.arguments)), session).await
            }
            (None, Some(access)) => {
                let named = NamedAccess {
                    tool: self.tool.unwrap_or_default(),
                    toolset: self.toolset.unwrap_or_default(),
                    server: self.server,
                    arguments: self.arguments,
                    access,
                };
                named.preview(app)
            }
            _ => Err(Failure::usage("a case has either 'call' or 'access'")),
        }
    }
}
