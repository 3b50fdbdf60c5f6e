//! `hermes tool`: tools of the user's own, from YAML files.

mod args;
mod dispatch;
mod list;
mod register;
mod test;

pub(crate) use args::ToolCommand;
pub(crate) use dispatch::run;
