//! Shell text, read as a shell would read it. Nothing is ever run.

mod model;

pub use model::{Assignment, Command, Doubt, Function, Piece, Redirect, RedirectKind, Script, Word};
