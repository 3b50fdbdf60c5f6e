//! What the targets share: values and schemas made from raw bytes, and a runtime in memory.

pub mod house;
pub mod json;
