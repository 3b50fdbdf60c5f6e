//! The process door: programs by argument list, each under a custodian that ends its whole tree.

mod child;
mod keeper;
mod launch;
mod pipes;
mod program;

pub use child::{Child, Exit};
pub use launch::{Launch, Stream};
pub use program::{Finished, Program, run};
