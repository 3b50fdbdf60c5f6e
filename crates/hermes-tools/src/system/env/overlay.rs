//! The variables that tools set for one session. What somebody agreed to holds only as long as they stay as they were.

use std::collections::BTreeMap;

use hermes_core::{CallContext, ErrorCode, ToolError};
use serde::{Deserialize, Serialize};

/// Where the session state keeps them, and approvers look for them.
const SLOT: &str = "env";
const MAX_VARIABLES: usize = 256;

/// Name to value; a name without a value hides the variable from commands of this session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(in crate::system) struct Overlay(BTreeMap<String, Option<String>>);

impl Overlay {
    pub(in crate::system) async fn load(cx: &CallContext) -> Result<Self, ToolError> {
        match cx.ports().session_state()?.load(&cx.session().id, SLOT).await? {
            None => Ok(Overlay::default()),
            Some(stored) => serde_json::from_value(stored).map_err(|error| {
                ToolError::internal("the session's variables could not be read")
                    .with_operator(error.to_string())
            }),
        }
    }

    pub(in crate::system) async fn save(&self, cx: &CallContext) -> Result<(), ToolError> {
        let stored = hermes_core::tool_result(self)?;
        cx.ports().session_state()?.save(&cx.session().id, SLOT, stored).await
    }

    pub(in crate::system) fn set(&mut self, name: &str, value: &str) -> Result<(), ToolError> {
        if self.0.len() >= MAX_VARIABLES && !self.0.contains_key(name) {
            return Err(ToolError::new(
                ErrorCode::TooLarge,
                format!("a session holds at most {MAX_VARIABLES} variables"),
            )
            .with_hint("Unset the ones that are no longer needed."));
        }
        self.0.insert(name.to_owned(), Some(value.to_owned()));
        Ok(())
    }

    /// Hides the variable if it would be seen otherwise, and forgets it if not.
    pub(in crate::system) fn unset(&mut self, name: &str, seen_otherwise: bool) {
        if seen_otherwise {
            self.0.insert(name.to_owned(), None);
        } else {
            self.0.remove(name);
        }
    }
}
