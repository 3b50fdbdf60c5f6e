//! The policy in force: a profile, the user's and the project's rules, and what the configuration takes away.

mod files;
mod ground;
mod known;
mod live;
mod maker;
mod rates;
mod section;

pub(crate) use files::{PolicyText, ProjectPolicy, project_policy};
pub(crate) use ground::{Folders, ground, ground_of};
pub(crate) use live::LivePolicy;
pub(crate) use maker::PolicyMaker;
pub(crate) use section::dangerous_commands;
