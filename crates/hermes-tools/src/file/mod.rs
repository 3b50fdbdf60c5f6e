//! Files and folders.

mod change;
mod directory_list;
pub(crate) mod edit;
mod patch;
mod read_file;
pub(crate) mod text;
pub(crate) mod v4a;
mod write_file;
