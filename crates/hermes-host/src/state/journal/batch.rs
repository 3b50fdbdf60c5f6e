//! One transaction for many rows: the group commit.

use rusqlite::{Connection, params};

use super::chain::{Hash, Sealed};
use super::record::{Effect, Row};

const INSERT: &str = "INSERT INTO journal
    (seq, at_ms, kind, call_id, session, tool, status, body, writer, prev, hash)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

const OPEN: &str =
    "INSERT INTO journal_tip (call_id, session, seq, tool, writer) VALUES (?1, ?2, ?3, ?4, ?5)";

/// One outcome closes one call, this writer's first, should two calls go by the same id.
const CLOSE: &str = "DELETE FROM journal_tip WHERE call_id = ?1 AND session = ?2 AND seq =
    (SELECT seq FROM journal_tip WHERE call_id = ?1 AND session = ?2 AND seq > 0
     ORDER BY writer <> ?3, seq LIMIT 1)";

const CLOSE_ROW: &str = "DELETE FROM journal_tip WHERE call_id = ?1 AND session = ?2 AND seq = ?3";

pub(super) const HEAD: &str =
    "SELECT head_seq, hash FROM journal_tip WHERE call_id = '' AND session = '' AND seq = 0";

const MOVE_HEAD: &str = "UPDATE journal_tip SET head_seq = ?1, hash = ?2
    WHERE call_id = '' AND session = '' AND seq = 0";

/// Who writes, and when.
#[derive(Clone, Copy)]
pub(super) struct Stamp<'a> {
    pub(super) writer: &'a str,
    pub(super) at_ms: i64,
}

/// Appends all rows or none.
pub(super) fn commit<'a>(
    connection: &Connection,
    rows: impl Iterator<Item = &'a Row>,
    stamp: Stamp<'_>,
) -> rusqlite::Result<()> {
    run(connection, "BEGIN IMMEDIATE")?;
    let done = append(connection, rows, stamp).and_then(|()| run(connection, "COMMIT"));
    if done.is_err() && !connection.is_autocommit() {
        // SQLite has rolled back by itself after some errors; after the others it must be told.
        let _ = run(connection, "ROLLBACK");
    }
    done
}

fn append<'a>(
    connection: &Connection,
    rows: impl Iterator<Item = &'a Row>,
    stamp: Stamp<'_>,
) -> rusqlite::Result<()> {
    // Read under the write lock: another process may have moved it since the last batch. It costs as
    // much as asking whether one has: the page is needed below anyway.
    let (mut seq, mut prev) = connection
        .prepare_cached(HEAD)?
        .query_row((), |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Hash>(1)?)))?;
    let mut insert = connection.prepare_cached(INSERT)?;
    for row in rows {
        seq += 1;
        let hash = seal(row, seq, stamp).hash(&prev);
        insert.execute(params![
            seq,
            stamp.at_ms,
            row.kind,
            row.call_id,
            row.session,
            row.tool,
            row.status,
            row.body,
            stamp.writer,
            prev.as_slice(),
            hash.as_slice()
        ])?;
        apply(connection, row, seq, stamp.writer)?;
        prev = hash;
    }
    connection.prepare_cached(MOVE_HEAD)?.execute(params![seq, prev.as_slice()])?;
    Ok(())
}

fn apply(connection: &Connection, row: &Row, seq: i64, writer: &str) -> rusqlite::Result<()> {
    match row.effect {
        Effect::None => Ok(0),
        Effect::Opens => {
            connection.prepare_cached(OPEN)?.execute(params![row.call_id, row.session, seq, row.tool, writer])
        }
        Effect::Closes => {
            connection.prepare_cached(CLOSE)?.execute(params![row.call_id, row.session, writer])
        }
        Effect::ClosesRow(opened) => {
            connection.prepare_cached(CLOSE_ROW)?.execute(params![row.call_id, row.session, opened])
        }
    }
    .map(|_| ())
}

fn seal<'a>(row: &'a Row, seq: i64, stamp: Stamp<'a>) -> Sealed<'a> {
    Sealed {
        seq,
        at_ms: stamp.at_ms,
        kind: row.kind,
        call_id: &row.call_id,
        session: &row.session,
        tool: &row.tool,
        status: row.status.as_deref(),
        body: &row.body,
        writer: stamp.writer,
    }
}

fn run(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute(()).map(|_| ())
}
