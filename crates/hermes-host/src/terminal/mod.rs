//! The terminal door: commands in a shell, here or elsewhere, that keep their folder and exported variables
//! from one call to the next.

mod backend;
mod background;
mod capture;
mod door;
mod environment;
mod exports;
mod follow;
mod job;
mod local;
mod processes;
mod quote;
mod script;
mod settings;
mod state;
mod walls;

pub use capture::Captured;
pub use door::Terminals;
pub use job::{Background, Command, Ending, Place, Ran};
pub use processes::{Notice, Record, Status};
pub use settings::{Sandbox, SandboxMode, TerminalSettings};
