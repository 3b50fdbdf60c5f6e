//! `hermes explain path`: whether a file operation would be allowed, asked about or denied. Looks at links
//! and names where a prepared tree is there; reads and changes nothing else.

mod answer;
mod archive;
mod args;
mod both_ends;
mod files;
mod forms;
mod limits;
mod outcome;
mod row;
mod run;
mod setup;
mod stage;
mod sweep;
mod tree;

pub(crate) use args::PathArgs;
pub(crate) use run::run;
