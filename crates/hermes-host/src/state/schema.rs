//! The tables of `state.db`, by version. A released step is never edited; a change is a new step.

use rusqlite::{Connection, TransactionBehavior};

const STEPS: &[&str] = &[include_str!("schema_1.sql")];

/// Brings the database up to date. Two processes that start together do it once.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    if version(connection)? == STEPS.len() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = version(&transaction)?;
    if done > STEPS.len() {
        return Err(wrong_version(done));
    }
    for step in STEPS.iter().skip(done) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", i64::try_from(STEPS.len()).unwrap_or(i64::MAX))?;
    transaction.commit()
}

/// For readers, who must not change what they look at.
pub(super) fn require_current(connection: &Connection) -> rusqlite::Result<()> {
    match version(connection)? {
        found if found == STEPS.len() => Ok(()),
        found => Err(wrong_version(found)),
    }
}

fn version(connection: &Connection) -> rusqlite::Result<usize> {
    let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

fn wrong_version(found: usize) -> rusqlite::Error {
    let message = format!("state.db has version {found}, this Hermes knows version {}", STEPS.len());
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CANTOPEN), Some(message))
}
