//! What the model reads beside the output of a command: what happened meanwhile, and what its exit code means.

mod circumstances;
mod described;
mod events;
mod exit_notes;

pub(super) use circumstances::circumstances;
pub(super) use described::{Described, described};
pub(super) use events::{Event, events};
pub(super) use exit_notes::note;
