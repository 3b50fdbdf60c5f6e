//! The client: one long-lived link to each server, started at the first call, healed when it breaks.

mod asking;
mod backoff;
mod call;
mod child;
mod connect;
mod establish;
mod fault;
mod frame;
mod guest;
mod handler;
mod http;
mod link;
mod log;
mod sent;
mod server;
mod state;
mod stdio;
mod watched;

pub use guest::{Guest, GuestCall};
pub use link::Link;
pub use server::{Server, ServerParts};
pub use state::{State, Status};
