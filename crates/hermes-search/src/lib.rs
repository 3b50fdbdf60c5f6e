//! Finds the right tool for a few words: BM25F over names, descriptions and arguments, joined by a small
//! sentence encoder. No network, no files, no clock; the same question gives the same answer everywhere.

mod affixes;
mod answer;
mod calls;
mod characters;
mod count;
mod described;
mod document;
pub mod encoder;
mod exact;
mod first;
mod forms;
mod fusion;
pub mod index;
mod learned;
mod letters;
mod lexicon;
mod library;
mod meaning;
mod meant;
mod mentions;
mod needs;
mod noise;
mod parts;
mod scripts;
mod search;
mod service;
mod shelf;
mod sound;
pub mod tokens;
mod tongue;
mod unspaced;
mod wording;

pub use answer::{Answer, Fit, Hit, Method, Query};
pub use count::count_tokens;
pub use document::{DefinitionHash, Document};
pub use index::Scope;
pub use learned::Learned;
pub use library::Library;
pub use shelf::Shelf;
