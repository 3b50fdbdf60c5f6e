//! `hermes explain command`: what a command line would do, and whether it would run, be asked about or be
//! refused. Nothing is executed.

mod answer;
mod args;
mod judge;
mod run;
mod setup;

pub(crate) use args::CommandArgs;
pub(crate) use run::run;
