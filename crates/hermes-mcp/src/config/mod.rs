//! What is configured for one server, as this crate needs it.

mod check;
mod expand;
mod server;

pub use check::check_program;
pub(crate) use expand::referred;
pub use expand::{expand, is_reference_only};
pub use server::{Allowed, Endpoint, Era, Login, ServerConfig, ToolFilter};
