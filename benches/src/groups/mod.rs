//! One group of measurements per file.

pub mod catalog;
pub mod commands;
pub mod files;
pub mod functions;
pub mod jsonl;
pub mod load;
pub mod mcp;
pub mod own_tools;
pub mod pipeline;
pub mod search;
pub mod start;
pub mod terminal;
