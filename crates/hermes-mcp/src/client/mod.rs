//! The client: one long-lived link to each server, started at the first call, healed when it breaks.

mod backoff;
mod call;
mod child;
mod connect;
mod fault;
mod frame;
mod guest;
mod handler;
mod link;
mod log;
mod server;
mod state;
mod stdio;

pub use guest::{Guest, GuestCall};
pub use link::Link;
pub use server::{Server, ServerParts};
pub use state::{State, Status};
