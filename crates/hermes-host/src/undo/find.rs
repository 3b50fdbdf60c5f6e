//! Reading records, and finding the one that is meant.

use std::io;
use std::path::Path;

use hermes_core::{ErrorCode, ToolError};

use super::record::UndoRecord;
use super::store::UndoStore;
use crate::state::fault;

impl UndoStore {
    /// All records, newest first.
    pub fn list(&self) -> Result<Vec<UndoRecord>, ToolError> {
        self.read_all().map_err(|error| fault("the undo records could not be read", error))
    }

    pub(super) fn read_all(&self) -> io::Result<Vec<UndoRecord>> {
        let entries = match std::fs::read_dir(self.calls()) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut records = Vec::new();
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            // A record that another process pruned meanwhile, or that is damaged, is no record.
            let Ok(text) = std::fs::read(&path) else { continue };
            records.extend(serde_json::from_slice::<UndoRecord>(&text).ok());
        }
        records.sort_by(|a: &UndoRecord, b| (b.at_ms, &b.id).cmp(&(a.at_ms, &a.id)));
        Ok(records)
    }

    /// The record of a call, by its id, the beginning of it, or the id the model gave the call.
    pub fn find(&self, wanted: &str) -> Result<UndoRecord, ToolError> {
        let records = self.list()?;
        let by_id = records.iter().filter(|record| record.id.starts_with(wanted));
        let by_call = records.iter().filter(|record| record.call == wanted);
        let mut found: Vec<&UndoRecord> = by_call.collect();
        if found.is_empty() {
            found = by_id.collect();
        }
        match found.as_slice() {
            [] => Err(ToolError::not_found(format!("no change of a call '{wanted}' is remembered"))
                .with_hint("See 'hermes undo list'.")),
            [only] => Ok((*only).clone()),
            several => {
                let ids: Vec<&str> = several.iter().map(|record| record.id.as_str()).collect();
                Err(ToolError::new(
                    ErrorCode::Conflict,
                    format!("'{wanted}' stands for {} changes: {}", ids.len(), ids.join(", ")),
                )
                .with_hint("Name one of them."))
            }
        }
    }

    /// The records of a turn, newest first, without those that were taken back.
    pub fn turn(&self, wanted: &Turn<'_>) -> Result<Vec<UndoRecord>, ToolError> {
        let records = self.list()?;
        let is_open = |record: &&UndoRecord| {
            record.undoes.is_empty() && !records.iter().any(|other| other.undoes.contains(&record.id))
        };
        let mut open = records.iter().filter(is_open);
        let found = match wanted {
            Turn::Named(turn) => records.iter().find(|record| record.turn == *turn),
            Turn::LastOf(session) => open.find(|record| record.session == *session),
            Turn::LastIn(folder) => open.find(|record| record.touches(folder)),
        };
        let Some(record) = found else { return Err(no_turn(wanted, records.iter().find(is_open))) };
        let same = |other: &&UndoRecord| other.session == record.session && other.turn == record.turn;
        Ok(records.iter().filter(same).filter(is_open).cloned().collect())
    }
}

/// Which turn is meant.
#[derive(Clone, Copy, Debug)]
pub enum Turn<'a> {
    Named(&'a str),
    /// The newest of a session.
    LastOf(&'a str),
    /// The newest that changed something in this folder: what was done elsewhere is somebody else's.
    LastIn(&'a Path),
}

fn no_turn(wanted: &Turn<'_>, newest: Option<&UndoRecord>) -> ToolError {
    let error = match wanted {
        Turn::Named(turn) => ToolError::not_found(format!("no turn '{turn}' is remembered")),
        Turn::LastOf(session) => ToolError::not_found(format!(
            "no turn of session '{session}' is remembered that could be taken back"
        )),
        Turn::LastIn(_) => {
            ToolError::not_found("no turn is remembered that changed this folder and could be taken back")
        }
    };
    match (wanted, newest) {
        (Turn::LastIn(_), Some(record)) => error.with_hint(format!(
            "The last one was '{}' of session '{}', in other folders: name it if you mean it, with --turn.",
            record.turn, record.session
        )),
        _ => error.with_hint("See 'hermes undo list'."),
    }
}
