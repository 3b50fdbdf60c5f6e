//! Pure decisions: what a call would touch and the rules in force go in, allow, ask or deny comes out.
//! No I/O, no clock: the same request always gets the same answer, so it can be explained and tested.

mod all;
pub mod command;
mod pattern;
mod rules;
pub mod shell;

pub use all::All;
pub use pattern::{Pattern, PatternError};
pub use rules::{PathRoots, Rules};
