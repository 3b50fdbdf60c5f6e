//! The doors to the outside. Every side effect of every tool goes through here, and every door checks
//! the permit of the call that knocks.

pub mod clock;
pub mod env;
pub mod env_file;
pub mod home;
mod host;
pub mod private;
pub mod process;
pub mod secrets;
pub mod state;
pub mod system;
pub mod workspace;

pub use clock::Clock;
pub use env::Env;
pub use host::Host;
pub use system::System;
pub use workspace::Workspace;
