//! Hermes as a server: what a session offers, for any client.

mod answer;
mod backend;
mod client;
mod handler;
mod http;
mod rounds;
mod stdio;
mod token;

pub use backend::{Backend, Offer};
pub use http::{HttpOptions, serve_http};
pub use stdio::serve_stdio;
pub use token::ServeToken;
