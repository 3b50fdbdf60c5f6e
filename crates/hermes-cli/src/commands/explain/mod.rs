//! `hermes explain`: how Hermes reads things, on the very functions the runtime uses. Runs nothing.

mod args;
pub(crate) mod command;
mod dispatch;
mod error;
mod known;
mod name;
mod patch;
pub(crate) mod path;
mod plan;
mod rows;
mod schema;
mod stage;
pub(crate) mod url;

pub(crate) use dispatch::run;
