//! What a rule can name, each with its own way of matching. No matcher takes more than linear or, for
//! wildcards, quadratic time, whatever the rule or the call.

mod argument;
mod command;
mod flags;
mod host;
mod path;
mod shape;
mod wildcard;
mod words;

pub use argument::Argument;
pub(super) use argument::ArgumentTest;
pub use command::CommandPattern;
pub use host::HostPattern;
pub use path::PathGlob;
pub use wildcard::Wildcard;
