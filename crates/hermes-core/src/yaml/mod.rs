//! YAML that people write, read without trusting it: a tree that remembers where each piece stood, and a
//! reader that collects everything that is wrong, each with its place and what to write instead.

mod finding;
mod node;
mod place;
mod read;
mod reader;
mod tree;

pub use finding::{Fault, Finding, Step};
pub use node::{Key, Kind, Mark, Node};
pub use place::{At, Place, Problem, Severity, quote};
pub use read::{Budget, read};
pub use reader::Reader;
