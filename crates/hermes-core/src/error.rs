//! The one error a tool can answer with: a stable code, a text for the model, a text for the operator.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The closed list of failure kinds, stable across releases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ApprovalRequired,
    Unavailable,
    Timeout,
    Cancelled,
    TooLarge,
    Conflict,
    Network,
    Auth,
    ExecFailed,
    OutcomeUnknown,
    Internal,
}

impl ErrorCode {
    /// The code as it stands on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            ErrorCode::InvalidArgument => "invalid_argument",
            ErrorCode::NotFound => "not_found",
            ErrorCode::PermissionDenied => "permission_denied",
            ErrorCode::ApprovalRequired => "approval_required",
            ErrorCode::Unavailable => "unavailable",
            ErrorCode::Timeout => "timeout",
            ErrorCode::Cancelled => "cancelled",
            ErrorCode::TooLarge => "too_large",
            ErrorCode::Conflict => "conflict",
            ErrorCode::Network => "network",
            ErrorCode::Auth => "auth",
            ErrorCode::ExecFailed => "exec_failed",
            ErrorCode::OutcomeUnknown => "outcome_unknown",
            ErrorCode::Internal => "internal",
        }
    }

    /// Whether the same call may succeed later without being changed.
    pub const fn usually_retryable(self) -> bool {
        matches!(self, ErrorCode::Timeout | ErrorCode::Network | ErrorCode::Unavailable)
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A failed call, as data. The message goes to the model and says what to change; the operator text
/// goes to logs only, so it may name paths and causes the model has no business with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    pub code: ErrorCode,
    pub message: String,
    pub hint: Option<String>,
    pub retryable: bool,
    pub operator: Option<String>,
    /// Extra fields for the wire object, such as `similar_files`.
    pub data: Map<String, Value>,
}

impl ToolError {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        ToolError {
            code,
            message: message.into(),
            hint: None,
            retryable: code.usually_retryable(),
            operator: None,
            data: Map::new(),
        }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidArgument, message)
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::NotFound, message)
    }

    pub fn denied(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::PermissionDenied, message)
    }

    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Internal, message)
    }

    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same call will fail again.
    #[must_use]
    pub fn for_good(mut self) -> Self {
        self.retryable = false;
        self
    }

    #[must_use]
    pub fn with_operator(mut self, text: impl Into<String>) -> Self {
        self.operator = Some(text.into());
        self
    }

    #[must_use]
    pub fn with_field(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.data.insert(name.to_owned(), value.into());
        self
    }

    /// The wire object: `{"error", "code", "retryable", "hint"?, …data}`.
    pub fn to_wire(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("error".into(), self.message.clone().into());
        object.insert("code".into(), self.code.as_str().into());
        object.insert("retryable".into(), self.retryable.into());
        if let Some(hint) = &self.hint {
            object.insert("hint".into(), hint.clone().into());
        }
        for (name, value) in &self.data {
            object.entry(name.clone()).or_insert_with(|| value.clone());
        }
        object
    }
}
