//! What became of calls whose process died: nobody knows, and the journal says so.

use std::collections::BTreeSet;

use hermes_core::ports::{JournalOutcome, JournalRecord};
use hermes_core::{ErrorCode, ToolError};
use rusqlite::Connection;

use super::batch::{self, Stamp};
use super::record::{Effect, Row};
use crate::state::fault;

/// Rows per transaction, so that other processes get their turn.
const CHUNK: usize = 512;

const WHY: &str = "the process that ran this call ended before its outcome was recorded; \
                   what it did may have happened";

/// Appends an `outcome_unknown` for every open call of a writer that is not `living`. The caller holds
/// the writers' registry, so no new writer can appear between that list and this look.
pub(super) fn run(
    connection: &Connection,
    living: &BTreeSet<String>,
    stamp: Stamp<'_>,
) -> Result<usize, ToolError> {
    let rows = abandoned(connection, living)
        .map_err(|error| fault::database("the journal could not be recovered", &error))?
        .into_iter()
        .map(|call| call.into_row())
        .collect::<Result<Vec<_>, _>>()?;
    for chunk in rows.chunks(CHUNK) {
        batch::commit(connection, chunk.iter(), stamp)
            .map_err(|error| fault::database("the journal could not be recovered", &error))?;
    }
    Ok(rows.len())
}

pub(super) struct OpenCall {
    pub(super) seq: i64,
    call_id: String,
    session: String,
    tool: String,
}

impl OpenCall {
    fn into_row(self) -> Result<Row, ToolError> {
        let outcome = JournalOutcome {
            status: ErrorCode::OutcomeUnknown.as_str().to_owned(),
            error: Some(WHY.to_owned()),
            duration_us: 0,
            result_chars: 0,
        };
        let mut row = Row::new(JournalRecord::Outcome {
            call_id: self.call_id,
            session: self.session,
            tool: self.tool,
            outcome,
        })?;
        row.effect = Effect::ClosesRow(self.seq);
        Ok(row)
    }
}

/// The open calls of writers that are not `living`.
pub(super) fn abandoned(
    connection: &Connection,
    living: &BTreeSet<String>,
) -> rusqlite::Result<Vec<OpenCall>> {
    let mut select = connection
        .prepare("SELECT writer, seq, call_id, session, tool FROM journal_tip WHERE seq > 0 ORDER BY seq")?;
    let mut rows = select.query(())?;
    let mut calls = Vec::new();
    while let Some(row) = rows.next()? {
        if living.contains(row.get_ref(0)?.as_str()?) {
            continue;
        }
        calls.push(OpenCall {
            seq: row.get(1)?,
            call_id: row.get(2)?,
            session: row.get(3)?,
            tool: row.get(4)?,
        });
    }
    Ok(calls)
}
