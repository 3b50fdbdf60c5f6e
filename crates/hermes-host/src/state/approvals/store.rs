//! Questions in `state.db`: asked by one process, answered by another.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hermes_core::{ErrorCode, ToolError};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::model::{NewApproval, PendingApproval};
use super::row::{self, COLUMNS};
use crate::clock::Clock;
use crate::home::Home;
use crate::state::{StateOptions, db, fault};

/// A yes in the last moment is seen a moment later.
const GRACE_MS: i64 = 2_000;
/// How long answered questions are kept for those who look back.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// Takes a yes: it is good for one call, so of two that try, one gets it.
const TAKE: &str =
    "UPDATE approvals SET state = 'used' WHERE id = ?1 AND state = 'approved' AND expires_ms + ?3 > ?2";

/// The questions. Cheap to clone; the methods touch the disk: not for async threads.
#[derive(Clone)]
pub struct PendingApprovals {
    connection: Arc<Mutex<Connection>>,
    pub(super) clock: Clock,
}

impl PendingApprovals {
    /// Opens the store, creating it where needed.
    pub fn open(home: &Home, options: &StateOptions) -> Result<Self, ToolError> {
        home.ensure()?;
        let connection = db::open(&home.state_db(), options)
            .map_err(|error| fault::database("the approvals could not be opened", &error))?;
        Ok(PendingApprovals { connection: Arc::new(Mutex::new(connection)), clock: options.clock.clone() })
    }

    /// Asks, or finds the same question still open: a run that was killed and started again waits for the
    /// answer to the question it asked before.
    pub fn submit(&self, new: &NewApproval) -> Result<PendingApproval, ToolError> {
        let open = format!("{COLUMNS} WHERE digest = ?1 AND state IN ('pending', 'approved') LIMIT 1");
        self.change(|transaction, now| {
            let found = transaction.prepare_cached(&open)?.query_row([&new.digest], row::read).optional()?;
            match found {
                Some(found) => Ok(found),
                None => row::insert(transaction, new, now),
            }
        })
    }

    /// The question with this id, or with the only id that begins so.
    pub fn find(&self, id: &str) -> Result<Option<PendingApproval>, ToolError> {
        let sql =
            format!("{COLUMNS} WHERE id = ?1 OR substr(id, 1, length(?1)) = ?1 ORDER BY id != ?1 LIMIT 2");
        let found = self.change(|transaction, _| {
            transaction
                .prepare_cached(&sql)?
                .query_map([id], row::read)?
                .collect::<rusqlite::Result<Vec<_>>>()
        })?;
        match found.as_slice() {
            [first, _] if first.id != id => Err(ToolError::new(
                ErrorCode::Conflict,
                format!("several approvals begin with '{id}'; write more of the id"),
            )),
            _ => Ok(found.into_iter().next()),
        }
    }

    /// The question with this id as it stands; changes nothing, so it may be asked often.
    pub fn look(&self, id: &str) -> Result<Option<PendingApproval>, ToolError> {
        let connection = self.lock();
        connection
            .prepare_cached(&format!("{COLUMNS} WHERE id = ?1"))
            .and_then(|mut select| select.query_row([id], row::read).optional())
            .map_err(|error| unreadable(&error))
    }

    /// Open questions, or all that are kept, oldest first.
    pub fn list(&self, all: bool) -> Result<Vec<PendingApproval>, ToolError> {
        let sql = format!("{COLUMNS} WHERE ?1 OR state = 'pending' ORDER BY created_ms, id");
        self.change(|transaction, _| transaction.prepare(&sql)?.query_map([all], row::read)?.collect())
    }

    /// Takes the yes that the question got. False if it has none, or another call took it.
    pub fn take(&self, id: &str) -> Result<bool, ToolError> {
        let now = self.clock.now_ms();
        let taken = self.lock().execute(TAKE, params![id, now, GRACE_MS]);
        taken.map(|rows| rows == 1).map_err(|error| unwritable(&error))
    }

    /// Ends a question that nobody waits for any more.
    pub fn withdraw(&self, id: &str, why: &str) -> Result<(), ToolError> {
        let sql = "UPDATE approvals SET state = 'expired', reason = ?2 WHERE id = ?1 AND state = 'pending'";
        self.lock().execute(sql, params![id, why]).map(|_| ()).map_err(|error| unwritable(&error))
    }

    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// One transaction, with what is too old marked as such before anybody looks.
    pub(super) fn change<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>, i64) -> rusqlite::Result<T>,
    ) -> Result<T, ToolError> {
        let now = self.clock.now_ms();
        let mut connection = self.lock();
        let run = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            sweep(&transaction, now)?;
            let result = work(&transaction, now)?;
            transaction.commit()?;
            Ok(result)
        };
        run().map_err(|error| unwritable(&error))
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn sweep(transaction: &Transaction<'_>, now: i64) -> rusqlite::Result<()> {
    let expire = "UPDATE approvals SET state = 'expired' WHERE (state = 'pending' AND expires_ms <= ?1)
        OR (state = 'approved' AND expires_ms + ?2 <= ?1)";
    transaction.prepare_cached(expire)?.execute(params![now, GRACE_MS])?;
    let forget = "DELETE FROM approvals WHERE state NOT IN ('pending', 'approved') AND created_ms < ?1";
    transaction.prepare_cached(forget)?.execute([now.saturating_sub(KEPT_MS)])?;
    Ok(())
}

fn unreadable(error: &rusqlite::Error) -> ToolError {
    fault::database("the approvals could not be read", error)
}

fn unwritable(error: &rusqlite::Error) -> ToolError {
    fault::database("the approvals could not be changed", error)
}
