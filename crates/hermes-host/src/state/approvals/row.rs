//! Questions as rows.

use rusqlite::types::Type;
use rusqlite::{Connection, Row, params};

use super::model::{ApprovalState, NewApproval, PendingApproval};
use crate::state::grants::{json, parsed, short_id};

pub(super) const COLUMNS: &str =
    "SELECT id, digest, tool, session, actor, request, offer, created_ms, expires_ms, state,
    decided_ms, decided_by, reason FROM approvals";

const INSERT: &str =
    "INSERT INTO approvals (id, digest, tool, session, actor, request, offer, created_ms, expires_ms, state)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'pending')";

pub(super) fn insert(
    connection: &Connection,
    new: &NewApproval,
    now_ms: i64,
) -> rusqlite::Result<PendingApproval> {
    let record = PendingApproval {
        id: short_id("a"),
        digest: new.digest.clone(),
        tool: new.tool.clone(),
        session: new.session.clone(),
        actor: new.actor.clone(),
        request: new.request.clone(),
        offer: new.offer.clone(),
        created_ms: now_ms,
        expires_ms: now_ms.saturating_add(new.lifetime_ms),
        state: ApprovalState::Pending,
        decided_ms: None,
        decided_by: None,
        reason: None,
    };
    connection.prepare_cached(INSERT)?.execute(params![
        record.id,
        record.digest,
        record.tool,
        record.session,
        record.actor,
        json(&record.request)?,
        record.offer.as_ref().map(json).transpose()?,
        record.created_ms,
        record.expires_ms,
    ])?;
    Ok(record)
}

pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<PendingApproval> {
    let state: String = row.get(9)?;
    let unknown = || rusqlite::Error::InvalidColumnType(9, format!("state '{state}'"), Type::Text);
    let has_offer = row.get_ref(6)? != rusqlite::types::ValueRef::Null;
    Ok(PendingApproval {
        id: row.get(0)?,
        digest: row.get(1)?,
        tool: row.get(2)?,
        session: row.get(3)?,
        actor: row.get(4)?,
        request: parsed(row, 5)?,
        offer: if has_offer { Some(parsed(row, 6)?) } else { None },
        created_ms: row.get(7)?,
        expires_ms: row.get(8)?,
        state: ApprovalState::parse(&state).ok_or_else(unknown)?,
        decided_ms: row.get(10)?,
        decided_by: row.get(11)?,
        reason: row.get(12)?,
    })
}
