//! The wire format: seed 004's request and response objects, and the messages of common providers.

mod arguments;
mod asked;
mod keys;
mod message;
mod request;
mod response;

pub use asked::{Asked, LinedUp};
pub(crate) use keys::SPELLINGS;
pub use request::{Request, parse_request, read_json};
pub use response::{respond, tool_message};
