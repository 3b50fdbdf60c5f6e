//! State that belongs to one session and outlives a call, in `state.db` or in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use hermes_core::ToolError;
use hermes_core::ports::SessionState;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::options::StateOptions;
use super::{blocking, db, fault};
use crate::clock::Clock;
use crate::home::Home;

const LOAD: &str = "SELECT value FROM session_state WHERE session = ?1 AND slot = ?2";

const SAVE: &str = "INSERT INTO session_state (session, slot, value, updated_ms) VALUES (?1, ?2, ?3, ?4)
    ON CONFLICT (session, slot) DO UPDATE SET value = excluded.value, updated_ms = excluded.updated_ms";

/// Session state that outlives the process.
pub struct SqliteSessionState {
    connection: Arc<Mutex<Connection>>,
    clock: Clock,
}

impl SqliteSessionState {
    /// Opens the state, creating it where needed. Touches the disk: not for async threads.
    pub fn open(home: &Home, options: &StateOptions) -> Result<Self, ToolError> {
        home.ensure()?;
        let connection = db::open(&home.state_db(), options)
            .map_err(|error| fault::database("the session state could not be opened", &error))?;
        Ok(SqliteSessionState { connection: Arc::new(Mutex::new(connection)), clock: options.clock.clone() })
    }

    async fn with<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, ToolError> {
        let connection = Arc::clone(&self.connection);
        blocking::run(move || work(&lock(&connection)).map_err(|error| fault::database(what, &error))).await
    }
}

impl SessionState for SqliteSessionState {
    fn load<'a>(
        &'a self,
        session: &'a str,
        slot: &'a str,
    ) -> BoxFuture<'a, Result<Option<Value>, ToolError>> {
        let key = (session.to_owned(), slot.to_owned());
        Box::pin(async move {
            let found: Option<String> = self
                .with("the session state could not be read", move |connection| {
                    connection.prepare_cached(LOAD)?.query_row(key, |row| row.get(0)).optional()
                })
                .await?;
            found
                .map(|text| serde_json::from_str(&text))
                .transpose()
                .map_err(|error| fault::fault("the session state could not be read: it is damaged", error))
        })
    }

    fn save<'a>(
        &'a self,
        session: &'a str,
        slot: &'a str,
        value: Value,
    ) -> BoxFuture<'a, Result<(), ToolError>> {
        let key = (session.to_owned(), slot.to_owned());
        Box::pin(async move {
            let text = value.to_string();
            let now = self.clock.now_ms();
            self.with("the session state could not be saved", move |connection| {
                connection.prepare_cached(SAVE)?.execute(params![key.0, key.1, text, now]).map(|_| ())
            })
            .await
        })
    }
}

/// Session state of an ephemeral session: gone with it.
#[derive(Debug, Default)]
pub struct MemorySessionState {
    values: Mutex<HashMap<(String, String), Value>>,
}

impl SessionState for MemorySessionState {
    fn load<'a>(
        &'a self,
        session: &'a str,
        slot: &'a str,
    ) -> BoxFuture<'a, Result<Option<Value>, ToolError>> {
        let key = (session.to_owned(), slot.to_owned());
        Box::pin(async move { Ok(lock(&self.values).get(&key).cloned()) })
    }

    fn save<'a>(
        &'a self,
        session: &'a str,
        slot: &'a str,
        value: Value,
    ) -> BoxFuture<'a, Result<(), ToolError>> {
        let key = (session.to_owned(), slot.to_owned());
        Box::pin(async move {
            lock(&self.values).insert(key, value);
            Ok(())
        })
    }
}

/// What the lock guards is whole between any two operations, so a panic elsewhere does not spoil it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
