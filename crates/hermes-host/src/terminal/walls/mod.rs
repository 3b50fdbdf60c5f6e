//! From the rules in force to walls: what the profile lets file tools write, commands may write; what it would not let
//! them read without asking, commands do not see.

mod asked;
mod build;
mod ends;
mod fixed;
mod kept;
mod lacking;
mod linked;
mod open;
mod scene;
mod unseen;
mod vacancies;

pub(super) use build::{Walls, walls};
pub(crate) use lacking::lacking;
pub(super) use scene::Ground;
pub(super) use vacancies::Expected;
