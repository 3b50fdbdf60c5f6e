//! Pure decisions: what a call would touch and the rules in force go in, allow, ask or deny comes out.
//! No I/O, no clock: the same request always gets the same answer, so it can be explained and tested.

mod all;
pub mod command;
pub mod paths;
mod pattern;
pub mod profile;
mod rules;
pub mod shell;
pub mod urls;

pub use all::All;
pub use pattern::{Pattern, PatternError};
pub use rules::{PathRoots, Rules};
