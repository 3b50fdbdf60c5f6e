//! The built-in tools: one folder per toolset, one file per tool. Nothing here is called by name: a binary
//! that says `use hermes_tools as _;` has them all.

mod code_execution;
mod columns;
mod file;
mod lines;
mod one_thread;
pub mod patching;
mod printed;
mod ran;
mod results;
mod system;
mod taken;
mod terminal;
mod todo;

/// The toolsets that come with these tools, as YAML.
pub const TOOLSETS: &str = include_str!("toolsets.yaml");
