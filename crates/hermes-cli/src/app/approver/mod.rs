//! Approvals: what was granted before, and whoever is there to ask.

mod allowlist;
mod asked;
mod build;
mod by_client;
mod choice;
mod count;
pub(crate) mod duration;
mod effects;
mod hint;
mod hooks;
mod judge;
mod ledger;
mod named_files;
mod nobody;
mod person;
mod prompt;
mod queue;
mod record;
mod show;
mod smart;
mod smart_model;
mod smart_program;
pub(super) mod terminal;
mod terms;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use allowlist::Allowlist;
pub(crate) use build::approver;
pub(crate) use judge::Judge;
pub(crate) use ledger::{ANONYMOUS, LedgerApprover};
pub(crate) use named_files::{Named, named_files as script_files};
pub(crate) use smart_program::EVENT as SMART_EVENT;
pub(crate) use terms::{Reach, Subject, Terms};
