//! What the analysis of commands, paths and hosts says, in the words of levels. Its refusals are the floor that
//! no rule overrides; its questions are each profile's, and an allow rule of that profile for exactly this
//! command, path or host answers them.

mod calls;
mod command;
mod effects;
mod floor;
mod host;
mod path;

pub(super) use calls::{Call, base_name};
pub(super) use command::CommandFacts;
pub(super) use effects::Effect;
pub(super) use floor::{by_analysis, floor};
pub(super) use host::HostFacts;
pub(super) use path::PathFacts;
