//! The terminal door: commands in a shell, here or elsewhere, that keep their folder and exported variables
//! from one call to the next.

mod backend;
mod capture;
mod door;
mod environment;
mod exports;
mod job;
mod local;
mod quote;
mod script;
mod settings;
mod state;
mod walls;

pub use capture::Captured;
pub use door::Terminals;
pub use job::{Command, Ending, Place, Ran};
pub use settings::{Sandbox, SandboxMode, TerminalSettings};
