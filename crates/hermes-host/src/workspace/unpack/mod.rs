//! Putting many new files below a folder: all of them or none, and nothing outside of it.
//!
//! Everything is written into a private folder inside the destination first. Names come from strangers, so
//! every one is checked, and folders are entered by handle, one name at a time, following no link.

mod below;
mod names;
mod place;
mod staging;

pub(super) use below::remove_tree;
pub use staging::{UnpackLimits, Unpacked, Unpacking};
