//! The doors to the outside. Every side effect of every tool goes through here, and every door checks
//! the permit of the call that knocks.

pub mod clock;
mod custody;
pub mod env;
pub mod env_file;
pub mod files;
pub mod home;
mod host;
pub mod http;
mod keys;
pub mod places;
pub mod plain_file;
pub mod private;
pub mod process;
pub mod proof;
pub mod secrets;
mod spot;
pub mod state;
pub mod system;
pub mod terminal;
pub mod undo;
pub mod workspace;

pub use clock::Clock;
pub use env::Env;
pub use files::Files;
pub use host::Host;
pub use http::Http;
pub use keys::Keys;
pub use system::System;
pub use terminal::Terminals;
pub use workspace::Workspace;
