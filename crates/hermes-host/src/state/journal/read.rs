//! Reading the journal, for people: list, show.

use std::collections::BTreeSet;
use std::path::PathBuf;

use hermes_core::text::hex;
use hermes_core::{ErrorCode, ToolError};
use rusqlite::types::ToSql;
use rusqlite::{Connection, Row};
use serde::Serialize;
use serde_json::Value;

use super::chain::Hash;
use super::verify::{self, VerifyReport};
use super::{recovery, writers};
use crate::home::Home;
use crate::state::{db, fault};

const COLUMNS: &str =
    "SELECT seq, at_ms, kind, call_id, session, tool, status, body, writer, prev, hash FROM journal";

/// One row of the journal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JournalEntry {
    pub seq: i64,
    pub at_ms: i64,
    /// `decision`, `outcome` or `completed`.
    pub kind: String,
    pub call_id: String,
    pub session: String,
    pub tool: String,
    /// `success` or an error code; none for a call that was let in and may still run. A call whose process is
    /// gone shows as `outcome_unknown` before anybody wrote so.
    pub status: Option<String>,
    /// The whole record.
    pub body: Value,
    pub writer: String,
    pub prev: String,
    pub hash: String,
}

/// Which entries to list. The default is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalFilter {
    pub session: Option<String>,
    pub tool: Option<String>,
    pub status: Option<String>,
    pub since_ms: Option<i64>,
    /// Only the newest so many.
    pub limit: Option<u32>,
}

/// What to show: one entry, or all entries of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKey {
    Seq(i64),
    Call(String),
}

/// A reader of the journal. It appends nothing, recovers nothing and may run beside any writer. Its
/// methods touch the disk: not for async threads.
pub struct JournalReader {
    connection: Connection,
    /// Where it is seen which writers live.
    writers: PathBuf,
}

impl JournalReader {
    pub fn open(home: &Home) -> Result<Self, ToolError> {
        let path = home.state_db();
        let connection = match path.exists() {
            true => db::open_to_read(&path).map_err(|error| unreadable(&error))?,
            false => None,
        };
        match connection {
            Some(connection) => Ok(JournalReader { connection, writers: home.writers_dir() }),
            None => Err(ToolError::new(ErrorCode::NotFound, "there is no journal yet")
                .with_operator(path.display().to_string())),
        }
    }

    /// The matching entries, oldest first.
    pub fn list(&self, filter: &JournalFilter) -> Result<Vec<JournalEntry>, ToolError> {
        let mut conditions = Vec::new();
        let mut values: Vec<&dyn ToSql> = Vec::new();
        let abandoned = self.abandoned()?;
        let texts = [("session", &filter.session), ("tool", &filter.tool)];
        for (column, wanted) in texts {
            if let Some(wanted) = wanted {
                conditions.push(format!("{column} = ?"));
                values.push(wanted);
            }
        }
        if let Some(status) = &filter.status {
            conditions.push(match status == ErrorCode::OutcomeUnknown.as_str() {
                true => format!("(status = ? OR seq IN ({}))", numbers(&abandoned)),
                false => "status = ?".to_owned(),
            });
            values.push(status);
        }
        if let Some(since_ms) = &filter.since_ms {
            conditions.push("at_ms >= ?".to_owned());
            values.push(since_ms);
        }
        let limit = filter.limit.map_or(-1, i64::from);
        values.push(&limit);
        let condition = if conditions.is_empty() { "TRUE".to_owned() } else { conditions.join(" AND ") };
        let sql = format!("{COLUMNS} WHERE {condition} ORDER BY seq DESC LIMIT ?");
        let mut entries = self.select(&sql, &values, &abandoned)?;
        entries.reverse();
        Ok(entries)
    }

    /// The entry with this number, or every entry of this call, oldest first.
    pub fn show(&self, key: &EntryKey) -> Result<Vec<JournalEntry>, ToolError> {
        let abandoned = self.abandoned()?;
        match key {
            EntryKey::Seq(seq) => self.select(&format!("{COLUMNS} WHERE seq = ?"), &[seq], &abandoned),
            EntryKey::Call(id) => {
                self.select(&format!("{COLUMNS} WHERE call_id = ? ORDER BY seq"), &[id], &abandoned)
            }
        }
    }

    /// The decisions whose process ended before it recorded an outcome, and that no later one has closed yet.
    pub fn abandoned(&self) -> Result<BTreeSet<i64>, ToolError> {
        // Who cannot look who lives must not call anybody dead.
        let Ok(living) = writers::living(&self.writers) else { return Ok(BTreeSet::new()) };
        let calls = recovery::abandoned(&self.connection, &living).map_err(|error| unreadable(&error))?;
        Ok(calls.into_iter().map(|call| call.seq).collect())
    }

    /// Walks the whole chain. What it finds wrong is in the report; an error means it could not look.
    pub fn verify(&self) -> Result<VerifyReport, ToolError> {
        verify::run(&self.connection).map_err(|error| unreadable(&error))
    }

    fn select(
        &self,
        sql: &str,
        values: &[&dyn ToSql],
        abandoned: &BTreeSet<i64>,
    ) -> Result<Vec<JournalEntry>, ToolError> {
        let mut entries: Vec<JournalEntry> = self
            .connection
            .prepare(sql)
            .and_then(|mut select| select.query_map(values, entry)?.collect())
            .map_err(|error| unreadable(&error))?;
        for entry in entries.iter_mut().filter(|entry| abandoned.contains(&entry.seq)) {
            entry.status.get_or_insert_with(|| ErrorCode::OutcomeUnknown.as_str().to_owned());
        }
        Ok(entries)
    }
}

fn numbers(list: &BTreeSet<i64>) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn entry(row: &Row<'_>) -> rusqlite::Result<JournalEntry> {
    let body: String = row.get(7)?;
    Ok(JournalEntry {
        seq: row.get(0)?,
        at_ms: row.get(1)?,
        kind: row.get(2)?,
        call_id: row.get(3)?,
        session: row.get(4)?,
        tool: row.get(5)?,
        status: row.get(6)?,
        // Only an edited row is not JSON; it must stay visible, and verify says what is wrong with it.
        body: serde_json::from_str(&body).unwrap_or(Value::String(body)),
        writer: row.get(8)?,
        prev: hex(row.get::<_, Hash>(9)?),
        hash: hex(row.get::<_, Hash>(10)?),
    })
}

fn unreadable(error: &rusqlite::Error) -> ToolError {
    fault::database("the journal could not be read", error)
}
