//! What the model reads of a command: its output, cleaned and bounded, and what its exit code means.

mod events;
mod exit_notes;
mod output;

pub(super) use events::{Event, events};
pub(super) use exit_notes::note;
pub(super) use output::shown;
