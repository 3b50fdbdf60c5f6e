//! `hermes setup`: the keys that tools need, asked for once and kept in a file of their own.

mod ask;
mod keys;
mod masked;
mod run;

pub(crate) use keys::{Key, keys};
pub(crate) use run::{SetupArgs, run};
