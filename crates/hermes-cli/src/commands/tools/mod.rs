//! `hermes tools`: look at tools, call one, see what they cost.

mod call;
mod cost;
mod dispatch;
mod list;
mod show;

pub(crate) use call::call;
pub(crate) use dispatch::run;
