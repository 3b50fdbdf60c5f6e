//! Knowledge about programs, read from the data files in `rules/` and checked against its own examples.

mod check;
mod files;
mod launcher;
mod lists;
mod options;
mod pattern;
mod program;
mod rules;
mod user;
mod variables;

pub use check::RuleError;
pub(crate) use launcher::{Launcher, LauncherKind};
pub(crate) use lists::{Calls, Family, Language};
pub(crate) use options::LaunchOption;
pub(crate) use program::{Otherwise, Program, Rule};
pub use rules::Rules;
pub(crate) use user::Compiled;
pub use user::{UserRule, UserRules};
pub(crate) use variables::VariableKind;
