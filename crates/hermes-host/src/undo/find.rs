//! Reading records, and finding the one that is meant.

use std::io;
use std::path::Path;

use hermes_core::{ErrorCode, ToolError};

use super::history::History;
use super::record::UndoRecord;
use super::store::UndoStore;
use crate::state::fault;

impl UndoStore {
    /// All records, newest first.
    pub fn list(&self) -> Result<Vec<UndoRecord>, ToolError> {
        self.history().map(|history| history.records)
    }

    /// All that is remembered, and what cannot be read of it.
    pub fn history(&self) -> Result<History, ToolError> {
        self.look().map_err(|error| fault("the undo records could not be read", error))
    }

    pub(super) fn read_all(&self) -> io::Result<Vec<UndoRecord>> {
        self.look().map(|history| history.records)
    }

    fn look(&self) -> io::Result<History> {
        let entries = match std::fs::read_dir(self.calls()) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(History::default()),
            Err(error) => return Err(error),
        };
        let mut history = History::default();
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let record = match std::fs::read(&path) {
                Ok(text) => serde_json::from_slice::<UndoRecord>(&text).ok(),
                // Another process pruned it meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(_) => None,
            };
            match record {
                Some(record) => history.records.push(record),
                None => history.damaged.extend(path.file_stem().map(|id| id.to_string_lossy().into_owned())),
            }
        }
        history.records.sort_by(|a: &UndoRecord, b| (b.at_ms, &b.id).cmp(&(a.at_ms, &a.id)));
        history.damaged.sort();
        Ok(history)
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
        let history = self.history()?;
        let taken_back = history.taken_back();
        let is_open =
            |record: &&UndoRecord| record.undoes.is_empty() && !taken_back.contains(record.id.as_str());
        let records = &history.records;
        let mut open = records.iter().filter(is_open);
        let found = match wanted {
            Turn::Named(turn) => records.iter().find(|record| record.turn == *turn),
            Turn::LastOf(session) => open.find(|record| record.session == *session),
            Turn::LastIn(folder) => open.find(|record| record.touches(folder)),
        };
        let Some(record) = found else { return Err(no_turn(wanted, records.iter().find(is_open))) };
        match history.hidden_in(record, matches!(wanted, Turn::Named(_))) {
            None => {
                let open = records.iter().filter(|other| other.is_of_turn(record)).filter(is_open);
                Ok(open.cloned().collect())
            }
            Some(id) => Err(ToolError::new(
                ErrorCode::Conflict,
                format!(
                    "the record '{id}' cannot be read, and its change may be a part of the turn or come after it; \
                     nothing was taken back"
                ),
            )
            .with_hint(format!(
                "See 'hermes undo list', and name the call that you mean. The record is {}.",
                self.place_of(id).display()
            ))),
        }
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
