//! Finds the right tool for a few words.

mod document;
pub mod encoder;
pub mod index;
pub mod tokens;

pub use document::{DefinitionHash, Document};
