//! Limits of calls a minute, counted in `state.db` by all processes of a home together.

use std::sync::{Arc, Mutex, PoisonError};

use hermes_core::ToolError;
use rusqlite::{Connection, TransactionBehavior, params};

use super::{StateOptions, db, fault};
use crate::clock::Clock;
use crate::home::Home;

const MINUTE_MS: i64 = 60_000;

/// The count. Cheap to clone; its methods touch the disk.
#[derive(Clone)]
pub struct RateCount {
    connection: Arc<Mutex<Connection>>,
    clock: Clock,
}

impl RateCount {
    /// Opens the count, creating it where needed.
    pub fn open(home: &Home, options: &StateOptions) -> Result<Self, ToolError> {
        home.ensure()?;
        let connection = db::open(&home.state_db(), options)
            .map_err(|error| fault::database("the calls a minute could not be opened", &error))?;
        Ok(RateCount { connection: Arc::new(Mutex::new(connection)), clock: options.clock.clone() })
    }

    /// Counts one call against every rule, or against none: then it is the place of the rule that is used up.
    pub fn take(&self, rules: &[(&str, u32)]) -> Result<Option<usize>, ToolError> {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        taken(&mut connection, rules, self.clock.now_ms())
            .map_err(|error| fault::database("the calls a minute could not be counted", &error))
    }
}

fn taken(connection: &mut Connection, rules: &[(&str, u32)], now: i64) -> rusqlite::Result<Option<usize>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // What lies more than a minute ahead was written by a clock that was wrong.
    let sql = "DELETE FROM rates WHERE rule = ?1 AND (taken_ms <= ?2 OR taken_ms > ?3)";
    for (index, (rule, most)) in rules.iter().enumerate() {
        transaction.prepare_cached(sql)?.execute(params![rule, now - MINUTE_MS, now + MINUTE_MS])?;
        let count: i64 = transaction
            .prepare_cached("SELECT count(*) FROM rates WHERE rule = ?1")?
            .query_row([rule], |row| row.get(0))?;
        if count >= i64::from(*most) {
            return Ok(Some(index));
        }
    }
    for (rule, _) in rules {
        transaction.prepare_cached("INSERT INTO rates VALUES (?1, ?2)")?.execute(params![rule, now])?;
    }
    transaction.commit()?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_who_share_a_home_count_together() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let options = StateOptions::default();
        let (one, other) =
            (RateCount::open(&home, &options).unwrap(), RateCount::open(&home, &options).unwrap());
        let (wide, narrow) = (("wide", 3), ("narrow", 1));
        assert_eq!(one.take(&[wide, narrow]), Ok(None));
        assert_eq!(other.take(&[wide, narrow]), Ok(Some(1)), "another process shares the budget");
        assert_eq!(other.take(&[wide]), Ok(None), "the refused call was not counted");
        assert_eq!(one.take(&[wide]), Ok(None));
        assert_eq!(other.take(&[wide]), Ok(Some(0)));
    }

    #[test]
    fn a_minute_passes() {
        let folder = tempfile::tempdir().unwrap();
        let path = Home::at(folder.path()).state_db();
        let mut connection = db::open(&path, &StateOptions::default()).unwrap();
        let mut take = |now| taken(&mut connection, &[("rule", 1)], now).unwrap();
        assert_eq!((take(1_000), take(60_999), take(61_000)), (None, Some(0), None));
        assert_eq!(take(500), None, "a clock that was set back stops nobody for longer than a minute");
    }
}
