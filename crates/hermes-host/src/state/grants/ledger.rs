//! Grants in `state.db`: given, used, counted and revoked by any process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hermes_core::grant::{Grant, NewGrant};
use hermes_core::{ErrorCode, ToolError};
use rusqlite::{Connection, params};

use super::row::{self, COLUMNS, Row};
use crate::clock::Clock;
use crate::home::Home;
use crate::state::{StateOptions, db, fault};

/// Counts one use, if the grant still holds at this very moment.
const USE: &str = "UPDATE grants SET uses = uses + 1, uses_left = uses_left - 1, last_used_ms = ?2
    WHERE id = ?1 AND revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?2)
    AND (uses_left IS NULL OR uses_left > 0)";

/// Written so that it is never null, whatever is.
const DEAD: &str =
    "revoked_ms IS NOT NULL OR coalesce(expires_ms <= ?1, FALSE) OR coalesce(uses_left = 0, FALSE)";

/// The ledger. Cheap to clone; its methods touch the disk: not for async threads.
#[derive(Clone)]
pub struct GrantLedger {
    connection: Arc<Mutex<Connection>>,
    clock: Clock,
}

/// What came of a revocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revoked {
    /// It held until now.
    Done(Box<Grant>),
    /// It did not hold any more.
    Before(Box<Grant>),
    /// This Hermes does not understand it; it is ended all the same.
    Strange(String),
    Unknown,
}

impl GrantLedger {
    /// Opens the ledger, creating it where needed.
    pub fn open(home: &Home, options: &StateOptions) -> Result<Self, ToolError> {
        home.ensure()?;
        let connection = db::open(&home.state_db(), options)
            .map_err(|error| fault::database("the grants could not be opened", &error))?;
        Ok(GrantLedger { connection: Arc::new(Mutex::new(connection)), clock: options.clock.clone() })
    }

    /// Stores a grant, or says why it must not be stored.
    pub fn add(&self, new: &NewGrant) -> Result<Grant, ToolError> {
        new.check().map_err(|refused| ToolError::denied(refused.reason))?;
        row::insert(&self.lock(), new, self.clock.now_ms()).map_err(|error| unwritable(&error))
    }

    /// The grants of a tool that hold now, those without a budget first.
    pub fn live(&self, tool: &str) -> Result<Vec<Grant>, ToolError> {
        let now = self.clock.now_ms();
        let sql = format!(
            "{COLUMNS} WHERE tool = ?2 AND NOT ({DEAD}) ORDER BY uses_left IS NOT NULL, created_ms, id"
        );
        let connection = self.lock();
        connection
            .prepare_cached(&sql)
            .and_then(|mut select| select.query_map(params![now, tool], row::read)?.collect())
            .map(|rows: Vec<Row>| rows.into_iter().filter_map(Row::understood).collect())
            .map_err(|error| unreadable(&error))
    }

    /// All grants, oldest first.
    pub fn all(&self) -> Result<Vec<Grant>, ToolError> {
        Ok(self.rows()?.into_iter().filter_map(Row::understood).collect())
    }

    /// The ids of grants that this Hermes does not understand. They grant nothing, and can be revoked.
    pub fn strange(&self) -> Result<Vec<String>, ToolError> {
        let strange = |row| match row {
            Row::Strange { id } => Some(id),
            Row::Understood(_) => None,
        };
        Ok(self.rows()?.into_iter().filter_map(strange).collect())
    }

    fn rows(&self) -> Result<Vec<Row>, ToolError> {
        let connection = self.lock();
        connection
            .prepare(&format!("{COLUMNS} ORDER BY created_ms, id"))
            .and_then(|mut select| select.query_map([], row::read)?.collect())
            .map_err(|error| unreadable(&error))
    }

    /// Takes one use of a grant. False if it does not hold any more, whoever ended it.
    pub fn use_one(&self, id: &str) -> Result<bool, ToolError> {
        let now = self.clock.now_ms();
        let used = self.lock().prepare_cached(USE).and_then(|mut update| update.execute(params![id, now]));
        used.map(|rows| rows == 1).map_err(|error| unwritable(&error))
    }

    /// Ends a grant, named by its id or by the beginning of it. Other processes see it at their next call.
    pub fn revoke(&self, id: &str) -> Result<Revoked, ToolError> {
        let Some(row) = self.find(id)? else { return Ok(Revoked::Unknown) };
        let now = self.clock.now_ms();
        let sql = "UPDATE grants SET revoked_ms = ?2 WHERE id = ?1 AND revoked_ms IS NULL";
        self.lock().execute(sql, params![row.id(), now]).map_err(|error| unwritable(&error))?;
        let grant = match row {
            Row::Understood(grant) => grant,
            Row::Strange { id } => return Ok(Revoked::Strange(id)),
        };
        let held = grant.is_live(now);
        Ok(if held { Revoked::Done(grant) } else { Revoked::Before(grant) })
    }

    /// Forgets grants that do not hold any more; how many.
    pub fn prune(&self) -> Result<usize, ToolError> {
        let sql = format!("DELETE FROM grants WHERE {DEAD}");
        self.lock().execute(&sql, params![self.clock.now_ms()]).map_err(|error| unwritable(&error))
    }

    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    fn find(&self, id: &str) -> Result<Option<Row>, ToolError> {
        let connection = self.lock();
        let sql =
            format!("{COLUMNS} WHERE id = ?1 OR substr(id, 1, length(?1)) = ?1 ORDER BY id != ?1 LIMIT 2");
        let mut select = connection.prepare(&sql).map_err(|error| unreadable(&error))?;
        let found: Vec<Row> = select
            .query_map([id], row::read)
            .and_then(Iterator::collect)
            .map_err(|error| unreadable(&error))?;
        match found.as_slice() {
            [first, _] if first.id() != id => Err(ToolError::new(
                ErrorCode::Conflict,
                format!("several grants begin with '{id}'; write more of the id"),
            )),
            _ => Ok(found.into_iter().next()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unreadable(error: &rusqlite::Error) -> ToolError {
    fault::database("the grants could not be read", error)
}

fn unwritable(error: &rusqlite::Error) -> ToolError {
    fault::database("the grants could not be changed", error)
}
