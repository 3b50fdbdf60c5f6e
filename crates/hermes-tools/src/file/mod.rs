//! Files and folders.

mod directory_list;
mod read_file;
mod text;
mod write_file;
