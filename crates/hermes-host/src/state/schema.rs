//! The tables of `state.db`, by version. A released step is never edited; a change is a new step.

use rusqlite::{Connection, TransactionBehavior};

const STEPS: &[&str] =
    &[include_str!("schema_1.sql"), include_str!("schema_2.sql"), include_str!("schema_3.sql")];

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

/// For readers of the journal, who must not change what they look at. The journal has stood as it is since
/// the first step, so a database that nobody has opened for writing since an upgrade can be read too.
/// False for a database that its first writer has only begun to make.
pub(super) fn is_readable(connection: &Connection) -> rusqlite::Result<bool> {
    // In one statement: a writer may bring the tables and their version between two.
    let both = "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version";
    let (found, tables): (u32, i64) = connection.query_row(both, (), |row| Ok((row.get(0)?, row.get(1)?)))?;
    match usize::try_from(found).unwrap_or(usize::MAX) {
        0 if tables == 0 => Ok(false),
        found if (1..=STEPS.len()).contains(&found) => Ok(true),
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
