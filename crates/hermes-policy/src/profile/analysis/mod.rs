//! What command and path analysis say, in the words of levels. Its refusals are the floor that no rule
//! overrides; its questions are each profile's, and an allow rule of that profile for exactly this command
//! or path answers them.

mod calls;
mod command;
mod floor;
mod path;

pub(super) use calls::{Call, base_name};
pub(super) use command::CommandFacts;
pub(super) use floor::{by_analysis, floor};
pub(super) use path::PathFacts;
