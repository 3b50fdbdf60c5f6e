pub(crate) mod backends;
mod judged_once;
mod process;
mod state;
#[expect(clippy::module_inception, reason = "mirrors src")]
mod terminal;
mod without_shell;
