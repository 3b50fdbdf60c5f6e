//! `hermes tools`: look at tools, call one, see what they cost.

mod call;
mod catalog_file;
mod cost;
mod dispatch;
mod lint;
mod list;
mod search;
mod search_eval;
mod show;

pub(crate) use call::call;
pub(crate) use dispatch::run;
pub(crate) use lint::LintArgs;
pub(crate) use search::SearchArgs;
pub(crate) use search_eval::SearchEvalArgs;
