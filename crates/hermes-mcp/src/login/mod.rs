//! Logging in at servers with OAuth 2.1: the server says who vouches for users, the user agrees in a browser, and
//! the tokens stay in files that only the user can read.

mod exchange;
mod flow;
mod store;

pub(crate) use exchange::{Kept, manager};
pub use flow::LoginFlow;
pub use store::LoginStore;
