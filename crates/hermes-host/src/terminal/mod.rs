//! The terminal door: commands in a shell, here or elsewhere, that keep their folder and exported variables
//! from one call to the next.

mod agreed;
mod backends;
mod background;
mod capture;
mod code;
mod code_elsewhere;
mod code_folder;
mod door;
mod elsewhere;
mod ending;
mod environment;
mod exports;
mod first_folder;
mod flood;
mod follow;
mod held;
mod inflow;
mod interpreter;
mod job;
mod judged;
mod live;
mod plain;
mod processes;
mod quote;
mod release;
mod repl;
mod script;
mod settings;
mod spill;
mod state;
mod told;
mod variables;
mod walls;

pub(crate) use backends::enter_modal_client;
pub use capture::Captured;
pub use code::{Answer, Code};
pub use door::Terminals;
pub(crate) use elsewhere::{Errand, Sent};
pub use ending::ended_elsewhere;
pub use environment::check_names;
pub use job::{Background, Command, Ending, Place, Ran};
pub use processes::{Notice, Record, Status};
pub(crate) use quote::quoted_text;
pub use repl::{Evaluated, Repl};
pub use settings::{BackendSettings, ContainerSettings, Sandbox, SandboxMode, SshSettings, TerminalSettings};
