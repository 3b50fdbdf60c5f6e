//! One group of measurements per file.

pub mod catalog;
pub mod functions;
pub mod jsonl;
pub mod load;
pub mod pipeline;
pub mod start;
pub mod terminal;
