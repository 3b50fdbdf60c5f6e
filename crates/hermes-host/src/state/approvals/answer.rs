//! Answering a question, from whatever process the person is at.

use hermes_core::grant::{Grant, NewGrant};
use hermes_core::{ErrorCode, ToolError};
use rusqlite::{OptionalExtension, Transaction, params};

use super::model::{ApprovalState, PendingApproval};
use super::row::{self, COLUMNS};
use super::store::PendingApprovals;
use crate::state::grants;

const DECIDE: &str = "UPDATE approvals SET state = ?2, decided_ms = ?3, decided_by = ?4, reason = ?5
    WHERE id = ?1 AND state = 'pending' AND expires_ms > ?3";

impl PendingApprovals {
    /// Says yes, and stores what the yes is to be remembered as: both or neither.
    pub fn approve(
        &self,
        id: &str,
        by: &str,
        keep: Option<&NewGrant>,
    ) -> Result<(PendingApproval, Option<Grant>), ToolError> {
        if let Some(keep) = keep {
            keep.check().map_err(|refused| ToolError::denied(refused.reason))?;
        }
        let answered = self.change(|transaction, now| {
            let (record, decided) = decide(transaction, now, id, ApprovalState::Approved, by, None)?;
            let stored = match keep {
                Some(keep) if decided => Some(grants::insert(transaction, keep, now)?),
                _ => None,
            };
            Ok((record, decided, stored))
        })?;
        match answered {
            (Some(record), true, stored) => Ok((record, stored)),
            (record, ..) => Err(too_late(id, record)),
        }
    }

    /// Says no.
    pub fn deny(&self, id: &str, by: &str, reason: Option<&str>) -> Result<PendingApproval, ToolError> {
        let answered =
            self.change(|transaction, now| decide(transaction, now, id, ApprovalState::Denied, by, reason))?;
        match answered {
            (Some(record), true) => Ok(record),
            (record, _) => Err(too_late(id, record)),
        }
    }
}

/// The question after the attempt, and whether this attempt decided it.
fn decide(
    transaction: &Transaction<'_>,
    now: i64,
    id: &str,
    state: ApprovalState,
    by: &str,
    reason: Option<&str>,
) -> rusqlite::Result<(Option<PendingApproval>, bool)> {
    let decided =
        transaction.prepare_cached(DECIDE)?.execute(params![id, state.as_str(), now, by, reason])? == 1;
    let select = format!("{COLUMNS} WHERE id = ?1");
    let record = transaction.prepare_cached(&select)?.query_row([id], row::read).optional()?;
    Ok((record, decided))
}

/// Why an answer came to nothing.
fn too_late(id: &str, record: Option<PendingApproval>) -> ToolError {
    let Some(record) = record else {
        return ToolError::not_found(format!("there is no approval '{id}'"));
    };
    let by = record.decided_by.as_deref().unwrap_or("somebody");
    match record.state {
        ApprovalState::Expired => {
            let why = record.reason.as_deref().unwrap_or("nobody answered in time");
            ToolError::new(ErrorCode::ApprovalRequired, format!("'{id}' has expired: {why}"))
                .with_hint("The call was not run. It asks anew when it is made again.")
        }
        ApprovalState::Denied => conflict(format!("'{id}' was denied already by {by}")),
        ApprovalState::Approved | ApprovalState::Used => {
            conflict(format!("'{id}' was approved already by {by}"))
        }
        ApprovalState::Pending => conflict(format!("'{id}' could not be answered")),
    }
}

fn conflict(message: String) -> ToolError {
    ToolError::new(ErrorCode::Conflict, message)
}
