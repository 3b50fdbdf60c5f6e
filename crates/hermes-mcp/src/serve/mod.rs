//! Hermes as a server: what a session offers, for any client.

mod answer;
mod backend;
mod client;
mod conversation;
mod handler;
mod http;
mod listing;
mod once;
mod places;
mod received;
mod rounds;
mod sent;
mod served;
mod sessions;
mod stdio;
mod token;
mod transport;
mod under_way;
mod watching;

pub use backend::{Backend, Epochs, Offer};
pub use http::{HttpOptions, serve_http};
pub use stdio::serve_stdio;
pub use token::ServeToken;
