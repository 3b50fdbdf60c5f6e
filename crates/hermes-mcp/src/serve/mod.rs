//! Hermes as a server: what a session offers, for any client.

mod backend;
mod handler;
mod stdio;

pub use backend::{Backend, Offer};
pub use stdio::serve_stdio;
