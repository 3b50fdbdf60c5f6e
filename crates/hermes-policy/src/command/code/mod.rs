//! Code of an interpreter, looked through for calls that reach out of it.

mod calls;
mod effects;
mod inside;
mod look;
mod names;
mod seen;
mod strings;

pub(crate) use look::judge;
