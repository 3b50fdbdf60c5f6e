//! What happened in the background, told with the next result.

use hermes_host::Terminals;
use hermes_host::terminal::Notice;
use hermes_kit::prelude::*;

/// One thing that happened.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A command in the background ended.
    Ended { session_id: String, exit_code: Option<i32> },
    /// The connection to where a command runs in the background was lost, and it may still run there.
    ConnectionLost { session_id: String },
    /// A command in the background printed what was waited for.
    Printed { session_id: String, lines: Vec<String> },
}

/// What the session was not told yet.
pub(in crate::terminal) fn events(terminals: &Terminals, cx: &CallContext) -> Vec<Event> {
    let event = |notice| match notice {
        Notice::Ended { id, exit } => {
            Event::Ended { session_id: id, exit_code: exit.map(|exit| exit.shell_code()) }
        }
        Notice::OutOfSight { id } => Event::ConnectionLost { session_id: id },
        Notice::Printed { id, lines } => Event::Printed { session_id: id, lines },
    };
    terminals.notices(cx).into_iter().map(event).collect()
}
