//! Files and folders.

mod change;
mod compare;
mod directory_list;
pub(crate) mod edit;
mod file_diff;
mod file_search;
pub(crate) mod find;
mod patch;
mod read_file;
mod search_files;
pub(crate) mod text;
pub(crate) mod v4a;
mod write_file;
