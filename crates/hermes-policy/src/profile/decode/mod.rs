//! From a tree to types. Everything that is wrong is collected, each with its place and what to write.

mod body;
mod contradictions;
mod file;
mod names;
mod reader;
mod restriction;
mod rule;

pub use file::read_policy;
