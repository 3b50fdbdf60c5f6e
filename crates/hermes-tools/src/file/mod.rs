//! Files and folders.

mod archive;
mod change;
mod compare;
mod directory_list;
pub(crate) mod edit;
mod file_compress;
mod file_diff;
mod file_search;
mod file_watch;
pub(crate) mod find;
mod patch;
mod place;
mod read_file;
mod search_files;
pub(crate) mod text;
pub(crate) mod v4a;
mod watching;
mod write_file;
