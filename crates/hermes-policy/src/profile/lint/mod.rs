//! Rules that are well written and have no effect: shadowed by others, never reached, impossible to meet, or asking nobody.

mod covers;
mod impossible;
mod lineage;
mod lists;
mod possible;
mod regexes;
mod restrictions;
mod rules;
mod whole;

pub use whole::lint;
