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
mod subject;
pub(crate) mod url;

use command::CommandArgs;
pub(crate) use dispatch::run;
use path::PathArgs;
pub(crate) use subject::ExplainCommand;
use url::UrlArgs;
