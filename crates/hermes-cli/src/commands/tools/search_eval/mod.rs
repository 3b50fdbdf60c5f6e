//! `hermes tools search-eval`: how often the right tool is among the first, on anybody's catalog.

mod args;
mod asked;
mod measure;
mod rank;
mod report;
mod run;

pub(crate) use args::SearchEvalArgs;
pub(super) use run::run;
