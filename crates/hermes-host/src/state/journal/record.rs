//! From a record of the port to the columns of a row.

use hermes_core::ports::JournalRecord;
use hermes_core::{ErrorCode, ToolError, Verdict};

use super::escape;
use crate::state::fault;

/// What a row does to the list of calls without an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    Opens,
    Closes,
    /// Closes the call that this very row opened; used by recovery, which closes other writers' calls.
    ClosesRow(i64),
}

/// A row before it has a place in the chain.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) kind: &'static str,
    pub(super) call_id: String,
    pub(super) session: String,
    pub(super) tool: String,
    pub(super) status: Option<String>,
    pub(super) body: String,
    pub(super) effect: Effect,
}

impl Row {
    pub(super) fn new(record: JournalRecord) -> Result<Row, ToolError> {
        let body = escape::to_json(&record).map_err(|error| {
            fault("the call could not be written as JSON, so nothing was recorded", error)
        })?;
        Ok(match record {
            JournalRecord::Decision { call, decision } => {
                // A denied call never runs, so there is no outcome to wait for.
                let denied = decision.verdict == Verdict::Deny;
                Row {
                    kind: "decision",
                    call_id: call.call_id,
                    session: call.session,
                    tool: call.tool,
                    status: denied.then(|| ErrorCode::PermissionDenied.as_str().to_owned()),
                    body,
                    effect: if denied { Effect::None } else { Effect::Opens },
                }
            }
            JournalRecord::Outcome { call_id, session, tool, outcome } => Row {
                kind: "outcome",
                call_id,
                session,
                tool,
                status: Some(outcome.status),
                body,
                effect: Effect::Closes,
            },
            JournalRecord::Completed { call, outcome, .. } => Row {
                kind: "completed",
                call_id: call.call_id,
                session: call.session,
                tool: call.tool,
                status: Some(outcome.status),
                body,
                effect: Effect::None,
            },
        })
    }
}
