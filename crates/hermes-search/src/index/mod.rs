//! The inverted index: grows and shrinks by single documents, and is searched through scopes.

mod alternatives;
mod bm25f;
mod fields;
mod fuzzy;
mod postings;
mod scope;
mod scores;

pub(crate) use bm25f::NearWords;
pub use fields::FIELDS;
pub use postings::{Index, Slot};
pub use scope::Scope;
pub use scores::Scores;
