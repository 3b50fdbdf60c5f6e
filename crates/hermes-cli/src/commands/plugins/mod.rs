//! `hermes plugins`: programs in any language that bring tools.

mod args;
mod check;
mod dispatch;
mod enable;
mod install;
mod list;

pub(crate) use args::PluginsCommand;
pub(crate) use dispatch::run;
