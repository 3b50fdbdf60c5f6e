//! Progressive disclosure: tools that are not always needed hide behind three bridge tools and are found by
//! searching. What a session may find, describe and call is exactly what it was granted.

mod bridge;
mod call_tool;
mod deferred;
mod describe_tool;
mod detail;
mod directory;
mod document;
mod embedding;
mod kept;
mod plan;
mod reply;
mod search_tool;
mod service;
mod settings;
mod unsaved;
mod uses;

pub use bridge::Bridge;
pub use deferred::Deferred;
pub use detail::Detail;
pub(crate) use plan::{is_deferrable, should_defer};
pub use service::{Found, ToolSearch};
pub use settings::{DetailChoice, Mode, SearchSettings};
