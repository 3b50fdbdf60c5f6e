//! Opening `state.db`: one way for every store in it.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::options::{Durability, StateOptions};
use super::schema;
use super::{fault, files};

/// How often a locked database is tried again: with the pauses of [`wait`] about ten seconds.
const BUSY_TRIES: i32 = 1_600;

/// Opens the database, creating and upgrading it where needed. Its files are for their owner only;
/// SQLite gives its `-wal` and `-shm` files the mode of the main file.
pub(super) fn open(path: &Path, options: &StateOptions) -> rusqlite::Result<Connection> {
    files::private_file(path).map_err(|error| cannot_open(path, &error))?;
    let opened = || -> rusqlite::Result<Connection> {
        let mut connection = connect(path)?;
        configure(&connection, options)?;
        schema::migrate(&mut connection)?;
        Ok(connection)
    };
    opened().map_err(|error| fault::named(path, error))
}

/// Opens an existing database to read it; none while its first writer is still making it. The connection may
/// still write SQLite's own side files.
pub(super) fn open_to_read(path: &Path) -> rusqlite::Result<Option<Connection>> {
    let opened = || -> rusqlite::Result<Option<Connection>> {
        let connection = connect(path)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(schema::is_readable(&connection)?.then_some(connection))
    };
    opened().map_err(|error| fault::named(path, error))
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    // Otherwise SQLite plans a cached statement anew whenever its values change.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    wait_for_others(&mut connection, true)?;
    Ok(connection)
}

/// Whether a locked database is waited for, or is an error at once.
pub(super) fn wait_for_others(connection: &mut Connection, patiently: bool) -> rusqlite::Result<()> {
    connection.busy_handler(patiently.then_some(wait))
}

fn configure(connection: &Connection, options: &StateOptions) -> rusqlite::Result<()> {
    enter_wal(connection)?;
    let synchronous = match options.durability {
        Durability::Process => "NORMAL",
        Durability::Power => "FULL",
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    if let Some(max_bytes) = options.max_bytes {
        let page: u32 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        let pages = i64::try_from(max_bytes / u64::from(page.max(1))).unwrap_or(i64::MAX).max(1);
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
    }
    Ok(())
}

/// Changing the journal mode needs the file alone, and SQLite does not wait for that by itself.
fn enter_wal(connection: &Connection) -> rusqlite::Result<()> {
    for attempt in 0.. {
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if mode == "wal" {
            return Ok(());
        }
        match connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())) {
            Err(error) if is_busy(&error) && wait(attempt) => {}
            other => return other,
        }
    }
    Ok(())
}

pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked)
    )
}

/// Pauses before the next try. SQLite's own handler starts at a millisecond, thirty times the length of
/// what it waits for.
fn wait(tries: i32) -> bool {
    let pause = Duration::from_micros(50 << tries.clamp(0, 7));
    std::thread::sleep(pause);
    tries < BUSY_TRIES
}

fn cannot_open(path: &Path, error: &std::io::Error) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(
        rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CANTOPEN),
        Some(format!("{}: {error}", path.display())),
    )
}
