//! What the file tools know about text: which encoding a file is in, and what changed between two versions.

pub(super) mod at_once;
pub(super) mod beginning;
pub(crate) mod body;
pub(super) mod decode;
pub(super) mod encoding;
pub(super) mod hash;
pub(super) mod hashes;
pub(super) mod many_bytes;
pub(super) mod not_text;
pub(super) mod numbered;
pub(super) mod paged;
pub(super) mod pages;
pub(super) mod raw;
pub(super) mod render;
pub(super) mod seen;
pub(super) mod sniff;
pub(super) mod summary;
pub(super) mod syntax;
pub(super) mod tree;
pub(crate) mod unified;
pub(super) mod usable;
