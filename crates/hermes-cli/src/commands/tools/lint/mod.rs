//! `hermes tools lint`: descriptions that a model cannot use, or should not.

mod args;
mod finding;
mod lookalikes;
mod rules;
mod run;

pub(crate) use args::LintArgs;
pub(super) use run::run;
