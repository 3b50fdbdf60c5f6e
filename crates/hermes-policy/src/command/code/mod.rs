//! Code of an interpreter, looked through for calls that reach out of it.

mod calls;
mod effects;
mod homes;
mod inside;
mod lists;
mod look;
mod names;
mod seen;
mod strings;
mod swarms;

pub(crate) use look::judge;
