//! Git beyond its table: settings that run programs, addresses that do, work that it hands on.

mod call;
mod chores;
mod losses;
mod outputs;
mod remotes;
mod settings;

pub(crate) use call::judge;
