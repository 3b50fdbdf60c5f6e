//! Schema-guided repair of argument types: text to the number, flag, list or object that it spells.

mod accepts;
mod bounds;
mod convert;
mod listed;
mod repair;
mod settled;
mod union;
mod walk;

pub use repair::Repair;
pub use walk::coerce;
