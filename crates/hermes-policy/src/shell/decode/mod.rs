//! What programs print that only turn text into text, where their input is certain.
//!
//! A payload is hidden by letting such a program make it. Following them shows what would really run.

mod bases;
mod echo;
mod filter;
mod output;
mod printer;
mod sed;
mod tr;

pub(super) use echo::printf;
pub(super) use output::command_output;
pub use output::static_output;
