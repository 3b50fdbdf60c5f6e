pub(crate) mod backends;
mod flood;
mod judged_once;
mod process;
mod side_by_side;
mod state;
#[expect(clippy::module_inception, reason = "mirrors src")]
mod terminal;
mod without_shell;
