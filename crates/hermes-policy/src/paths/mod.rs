//! Which files are sensitive and which are protected: one table for file tools, commands and sandboxes.
//! Nothing here looks at a file system; callers bring paths that are absolute and, where they can,
//! resolved.

mod classify;
mod folded;
mod lexical;
mod op;
mod pattern;
mod places;
mod scope;
mod table;
mod verdict;

pub use classify::{classify, judge};
pub use lexical::{PathRefusal, lexical, names_folder};
pub use op::PathOp;
pub use pattern::{PathPattern, PathPatternError};
pub use places::{Door, Places};
pub use table::{Entry, Example, Table, TableError};
pub use verdict::PathVerdict;

/// The shipped table of sensitive and protected places.
pub const TABLE: &str = include_str!("paths.yaml");
