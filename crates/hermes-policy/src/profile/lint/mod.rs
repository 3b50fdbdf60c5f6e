//! Rules that are well written and have no effect: shadowed by others, never reached, or asking nobody.

mod covers;
mod lineage;
mod lists;
mod restrictions;
mod rules;
mod whole;

pub use whole::lint;
