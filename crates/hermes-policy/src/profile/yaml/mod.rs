//! YAML as a tree that remembers where each piece stood, read without trusting the text.

mod node;
mod read;
mod tree;

pub(super) use node::{Key, Kind, Mark, Node};
pub(super) use read::read;
