//! Commands and the processes they leave running.

mod process;
mod shown;
#[expect(clippy::module_inception, reason = "the toolset and one of its tools share their name")]
mod terminal;
