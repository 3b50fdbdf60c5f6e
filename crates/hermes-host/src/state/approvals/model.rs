//! What is kept of a question and its answer.

use std::path::PathBuf;

use hermes_core::grant::Suggestion;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How far a question has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalState {
    Pending,
    /// Answered yes; the call has not gone ahead yet.
    Approved,
    Denied,
    /// Nobody answered in time, or whoever asked has gone.
    Expired,
    /// The call went ahead. An answer is good for one.
    Used,
}

impl ApprovalState {
    pub const fn as_str(self) -> &'static str {
        match self {
            ApprovalState::Pending => "pending",
            ApprovalState::Approved => "approved",
            ApprovalState::Denied => "denied",
            ApprovalState::Expired => "expired",
            ApprovalState::Used => "used",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        use ApprovalState::{Approved, Denied, Expired, Pending, Used};
        [Pending, Approved, Denied, Expired, Used].into_iter().find(|state| state.as_str() == text)
    }
}

/// A question to be asked.
#[derive(Clone, Debug)]
pub struct NewApproval {
    /// SHA-256 of what the answer is bound to.
    pub digest: String,
    pub tool: String,
    pub session: String,
    pub actor: String,
    /// What the person sees: redacted, bounded.
    pub request: Value,
    /// What may be stored; `None` if the answer can only be for once.
    pub offer: Option<Offer>,
    /// How long it waits.
    pub lifetime_ms: i64,
}

/// The rule that a longer yes would store, and the scopes it may be stored for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    pub suggestion: Suggestion,
    pub session: String,
    pub project: PathBuf,
}

/// A question with what became of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PendingApproval {
    pub id: String,
    pub digest: String,
    pub tool: String,
    pub session: String,
    pub actor: String,
    pub request: Value,
    pub offer: Option<Offer>,
    pub created_ms: i64,
    pub expires_ms: i64,
    pub state: ApprovalState,
    pub decided_ms: Option<i64>,
    pub decided_by: Option<String>,
    pub reason: Option<String>,
}
