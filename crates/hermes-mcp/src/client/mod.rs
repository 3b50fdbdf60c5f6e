//! The client: one long-lived link to each server, started at the first call, healed when it breaks.

mod allowance;
mod asking;
mod backoff;
mod beginnings;
mod call;
mod child;
mod connect;
mod establish;
mod fault;
mod follow;
mod following;
mod guest;
mod handler;
mod hearing;
mod http;
mod link;
mod lists;
mod log;
mod program;
mod sent;
mod server;
mod state;
mod stdio;
mod updates;
mod verdicts;
mod watched;
mod words;

pub(crate) use call::Caller;
pub use child::inherited;
pub use follow::Follow;
pub use guest::{Guest, GuestCall};
pub use link::Link;
pub use server::{Server, ServerParts};
pub use state::{State, Status};
pub use updates::Updated;
pub(crate) use updates::Updates;
