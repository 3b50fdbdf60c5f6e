//! The files that a command line may run, by content: an approval must not outlive a change in them.
//!
//! Best effort, and on the strict side: what is listed here without being run only makes an approval hold
//! for less, and where nobody can tell which files would run, a yes is for once.

mod content;
mod expand;
mod find;
mod implied;
mod words;

pub(crate) use find::{Named, named_files};
