//! Files on the other side of a terminal backend, by scripts for any POSIX shell with the usual small programs
//! (GNU's or busybox's). Scripts are constants; paths and contents go in by standard input, so no byte of them
//! is ever read as shell text. What comes out is cut at a mark that nobody over there can foresee.
//!
//! A file is opened and then compared with what was judged, where `/proc` tells what was opened. A write is a
//! temporary file in the same folder and a rename; several files are changed with a way back.

mod answer;
mod bytes;
mod changing;
mod complaints;
mod listing;
mod located;
mod reading;
mod scripts;
mod side;
mod staging;
mod tree;
mod walking;
mod words;
mod writing;

pub(super) use side::{Side, wait};
