//! The process door: programs by argument list, each under a custodian that ends its whole tree.

mod begin;
mod child;
mod confinement;
mod control;
mod keeper;
mod lasting;
mod launch;
mod limits;
mod pipes;
mod privacy;
mod program;

pub(crate) use begin::PROCESS_LIMIT;
pub use child::{Child, Exit};
pub use confinement::{Confinement, Held, Level};
pub use lasting::{Lasting, LastingStart, Log, let_go};
pub use launch::{Launch, Stream};
pub use limits::{Bounds, Limits};
pub(crate) use pipes::open_terminal;
pub use privacy::keep_private;
pub use program::{Finished, Program, run, run_within};
