//! Does the chain hold? Edited, removed, added or moved rows and a cut tail all show.

use rusqlite::{Connection, Row};
use serde::Serialize;

use super::batch::HEAD;
use super::chain::{GENESIS, Hash, Sealed};

const ROWS: &str = "SELECT seq, at_ms, kind, call_id, session, tool, status, body, writer, prev, hash
    FROM journal ORDER BY seq";

/// What a walk along the chain found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerifyReport {
    /// Good entries from the beginning on.
    pub entries: u64,
    pub ok: bool,
    /// Where the chain breaks first.
    pub first_bad_seq: Option<i64>,
    pub problem: Option<String>,
}

struct Walk {
    last: i64,
    hash: Hash,
}

/// Reads row by row within one snapshot, so writers may go on meanwhile.
pub(super) fn run(connection: &Connection) -> rusqlite::Result<VerifyReport> {
    let snapshot = connection.unchecked_transaction()?;
    let mut walk = Walk { last: 0, hash: GENESIS };
    let found = walk.follow(&snapshot);
    let (bad, problem) = match found {
        Ok(found) => found.map_or((None, None), |problem| (Some(walk.last + 1), Some(problem))),
        // The file itself is damaged, which is an answer, unless it could not be reached at all.
        Err(error) if is_damage(&error) => (Some(walk.last + 1), Some(error.to_string())),
        Err(error) => return Err(error),
    };
    Ok(VerifyReport {
        entries: u64::try_from(walk.last).unwrap_or_default(),
        ok: problem.is_none(),
        first_bad_seq: bad,
        problem,
    })
}

impl Walk {
    fn follow(&mut self, snapshot: &Connection) -> rusqlite::Result<Option<String>> {
        let mut select = snapshot.prepare(ROWS)?;
        let mut rows = select.query(())?;
        while let Some(row) = rows.next()? {
            if let Some(problem) = self.step(row)? {
                return Ok(Some(problem));
            }
        }
        let head = snapshot.query_row(HEAD, (), |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Hash>(1)?)));
        Ok(match head {
            Ok((seq, _)) if seq > self.last => {
                Some(format!("entries {} to {seq} are missing from the end", self.last + 1))
            }
            Ok((seq, _)) if seq < self.last => {
                Some(format!("the head stands at {seq}, before the last entry"))
            }
            Ok((_, hash)) if hash != self.hash => Some("the head does not match the last entry".to_owned()),
            Ok(_) => None,
            Err(rusqlite::Error::QueryReturnedNoRows) => Some("the head is missing".to_owned()),
            Err(error) => return Err(error),
        })
    }

    fn step(&mut self, row: &Row<'_>) -> rusqlite::Result<Option<String>> {
        let seq: i64 = row.get(0)?;
        if seq != self.last + 1 {
            return Ok(Some(format!("entry {} is missing, the next one is {seq}", self.last + 1)));
        }
        let (prev, hash): (Hash, Hash) = (row.get(9)?, row.get(10)?);
        if prev != self.hash {
            return Ok(Some(format!("entry {seq} does not follow the entry before it")));
        }
        let sealed = Sealed {
            seq,
            at_ms: row.get(1)?,
            kind: row.get_ref(2)?.as_str()?,
            call_id: row.get_ref(3)?.as_str()?,
            session: row.get_ref(4)?.as_str()?,
            tool: row.get_ref(5)?.as_str()?,
            status: row.get_ref(6)?.as_str_or_null()?,
            body: row.get_ref(7)?.as_str()?,
            writer: row.get_ref(8)?.as_str()?,
        };
        if sealed.hash(&prev) != hash {
            return Ok(Some(format!("entry {seq} was changed after it was written")));
        }
        self.last = seq;
        self.hash = hash;
        Ok(None)
    }
}

/// Whether the error comes from what is in the file rather than from reaching it.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    match error.sqlite_error_code() {
        Some(code) => matches!(code, DatabaseCorrupt | NotADatabase),
        // No SQLite code: a column that does not hold what the schema says.
        None => true,
    }
}
