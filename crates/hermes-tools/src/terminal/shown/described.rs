//! A command in the background, as it is shown.

use hermes_host::Terminals;
use hermes_host::terminal::{Record, Status};
use hermes_kit::prelude::*;

use super::events::Event;
use crate::taken;

/// Of one that nobody here hears of any more.
const UNKNOWN: &str = "unknown";

/// Of one that does not run any more.
fn ended(exit_code: Option<i32>) -> (&'static str, Option<i32>) {
    (if exit_code.is_some() { "exited" } else { "lost" }, exit_code)
}

#[derive(Debug, Serialize)]
pub struct Described {
    session_id: String,
    command: String,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    pid: u32,
    cwd: String,
    backend: String,
    sandbox: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    lacking: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identity: Option<String>,
    started_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl Described {
    /// What an event tells of it holds, whenever it was looked at.
    pub(in crate::terminal) fn agree(&mut self, event: &Event) {
        let (id, now) = match event {
            Event::Ended { session_id, exit_code } => (session_id, ended(*exit_code)),
            Event::ConnectionLost { session_id } => (session_id, (UNKNOWN, None)),
            Event::Printed { .. } => return,
        };
        if self.session_id == *id {
            (self.state, self.exit_code) = now;
            self.tell_of_connection();
        }
    }

    fn tell_of_connection(&mut self) {
        const LOST: &str = "the connection to it was lost, and it may still run there: kill ends it there, or says that nothing is left";
        if self.state == UNKNOWN && !self.note.as_deref().is_some_and(|note| note.contains(LOST)) {
            self.note =
                Some(self.note.take().map_or_else(|| LOST.to_owned(), |note| format!("{LOST}. {note}")));
        }
    }
}

pub(in crate::terminal) fn described(terminals: &Terminals, record: Record, status: Status) -> Described {
    let (state, exit_code) = match status {
        Status::Running => ("running", None),
        Status::Exited(exit) => ended(Some(exit.shell_code())),
        Status::Lost => ended(None),
        Status::OutOfSight => (UNKNOWN, None),
    };
    let mut described = Described {
        note: taken::told(&terminals.taken(&record)),
        session_id: record.id,
        command: record.command,
        state,
        exit_code,
        pid: record.pid,
        cwd: record.cwd,
        backend: record.backend,
        sandbox: record.sandbox,
        lacking: record.lacking,
        bounds: record.bounds,
        identity: record.identity,
        started_ms: record.started_ms,
    };
    described.tell_of_connection();
    described
}
