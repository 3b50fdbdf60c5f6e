//! Grants as rows.

use hermes_core::Permission;
use hermes_core::grant::{Grant, NewGrant};
use rusqlite::types::Type;
use rusqlite::{Connection, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

pub(super) const COLUMNS: &str =
    "SELECT id, created_ms, created_by, tool, permission, pattern, files, scope, actor,
    uses_left, uses, expires_ms, reason, revoked_ms, last_used_ms FROM grants";

const INSERT: &str =
    "INSERT INTO grants (id, created_ms, created_by, tool, permission, pattern, files, scope, actor,
    uses_left, expires_ms, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";

/// Stores a grant that was checked before.
pub(in crate::state) fn insert(
    connection: &Connection,
    new: &NewGrant,
    now_ms: i64,
) -> rusqlite::Result<Grant> {
    let grant = Grant {
        id: short_id("g"),
        created_ms: now_ms,
        created_by: new.created_by.clone(),
        tool: new.tool.clone(),
        permission: new.permission.clone(),
        pattern: new.pattern.clone(),
        files: new.files.clone(),
        scope: new.scope.clone(),
        actor: new.actor.clone(),
        uses_left: new.uses,
        uses: 0,
        expires_ms: new.lifetime_ms.map(|lifetime| now_ms.saturating_add(lifetime)),
        reason: new.reason.clone(),
        revoked_ms: None,
        last_used_ms: None,
    };
    connection.prepare_cached(INSERT)?.execute(params![
        grant.id,
        grant.created_ms,
        grant.created_by,
        grant.tool,
        grant.permission.as_ref().map(Permission::as_str),
        json(&grant.pattern)?,
        json(&grant.files)?,
        json(&grant.scope)?,
        grant.actor,
        grant.uses_left.map(|left| i64::try_from(left).unwrap_or(i64::MAX)),
        grant.expires_ms,
        grant.reason,
    ])?;
    Ok(grant)
}

/// A row of the ledger.
pub(super) enum Row {
    Understood(Box<Grant>),
    /// Written by another Hermes, or damaged. What is not understood grants nothing.
    Strange {
        id: String,
    },
}

impl Row {
    pub(super) fn understood(self) -> Option<Grant> {
        match self {
            Row::Understood(grant) => Some(*grant),
            Row::Strange { .. } => None,
        }
    }

    pub(super) fn id(&self) -> &str {
        match self {
            Row::Understood(grant) => &grant.id,
            Row::Strange { id } => id,
        }
    }
}

pub(super) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    match grant(row) {
        Ok(grant) => Ok(Row::Understood(Box::new(grant))),
        Err(rusqlite::Error::FromSqlConversionFailure(..) | rusqlite::Error::InvalidColumnType(..)) => {
            Ok(Row::Strange { id: row.get(0)? })
        }
        Err(error) => Err(error),
    }
}

fn grant(row: &rusqlite::Row<'_>) -> rusqlite::Result<Grant> {
    let count = |column: usize| -> rusqlite::Result<Option<u64>> {
        Ok(row.get::<_, Option<i64>>(column)?.map(|count| u64::try_from(count).unwrap_or(0)))
    };
    Ok(Grant {
        id: row.get(0)?,
        created_ms: row.get(1)?,
        created_by: row.get(2)?,
        tool: row.get(3)?,
        permission: row.get::<_, Option<String>>(4)?.map(Permission::named),
        pattern: parsed(row, 5)?,
        files: parsed(row, 6)?,
        scope: parsed(row, 7)?,
        actor: row.get(8)?,
        uses_left: count(9)?,
        uses: count(10)?.unwrap_or(0),
        expires_ms: row.get(11)?,
        reason: row.get(12)?,
        revoked_ms: row.get(13)?,
        last_used_ms: row.get(14)?,
    })
}

/// A name short enough to type; its table refuses the second of two that are the same.
pub(in crate::state) fn short_id(kind: &str) -> String {
    let id = Uuid::now_v7().simple().to_string();
    // The end of such an id is its random part.
    format!("{kind}-{}", id.get(22..).unwrap_or(&id))
}

pub(in crate::state) fn json(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// A column of JSON. One that this Hermes cannot read fails the reader: what is not understood grants nothing.
pub(in crate::state) fn parsed<T: DeserializeOwned>(
    row: &rusqlite::Row<'_>,
    column: usize,
) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}
