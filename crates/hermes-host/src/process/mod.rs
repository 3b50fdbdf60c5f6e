//! The process door: programs by argument list, each under a custodian that ends its whole tree.

mod child;
mod confinement;
mod keeper;
mod launch;
mod limits;
mod pipes;
mod program;

pub use child::{Child, Exit};
pub use confinement::{Confinement, Level};
pub use launch::{Launch, Stream};
pub use limits::Limits;
pub use program::{Finished, Program, run, run_within};
