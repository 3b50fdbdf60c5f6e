//! A reader for JSON and for the dialects that models mistake for it. It tells what it had to forgive,
//! refuses duplicate keys and never rounds an integer.

mod cursor;
mod dialect;
mod field;
mod flaw;
mod nesting;
mod scalars;
mod strings;
mod values;

pub(super) use dialect::{Dialect, Forgiven};
pub(super) use field::field;
pub(super) use flaw::{Flaw, Kind};
pub(super) use values::{read, read_apart};
