//! The messages, one JSON object a line. `docs/plugins.md` is their description.

use hermes_core::{ErrorCode, ToolError};
use serde::Deserialize;
use serde_json::{Value, json};

/// A request as its line, with the newline.
pub(super) fn request(id: u64, method: &str, params: &Value) -> String {
    format!("{}\n", json!({"id": id, "method": method, "params": params}))
}

/// A line that wants no answer.
pub(super) fn note(method: &str, params: &Value) -> String {
    format!("{}\n", json!({"method": method, "params": params}))
}

/// What a plugin may send.
#[derive(Deserialize)]
pub(super) struct Incoming {
    pub(super) id: Option<u64>,
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<Failure>,
}

#[derive(Deserialize)]
struct Failure {
    #[serde(default)]
    code: Option<ErrorCode>,
    message: String,
}

impl Incoming {
    pub(super) fn outcome(self) -> Result<Value, ToolError> {
        match (self.error, self.result) {
            // Policy, approvals and cancellation are not a plugin's to answer with.
            (Some(Failure { code, message }), _) => Err(ToolError::new(own(code), message)),
            (None, Some(value)) => Ok(value),
            (None, None) => Ok(Value::Null),
        }
    }
}

fn own(code: Option<ErrorCode>) -> ErrorCode {
    match code {
        Some(ErrorCode::PermissionDenied | ErrorCode::ApprovalRequired | ErrorCode::Internal) | None => {
            ErrorCode::ExecFailed
        }
        Some(code) => code,
    }
}
