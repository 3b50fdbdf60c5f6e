//! What is configured for one server, as this crate needs it.

mod expand;
mod server;

pub use expand::expand;
pub(crate) use expand::referred;
pub use server::{Allowed, Endpoint, Era, Login, ServerConfig, ToolFilter};
