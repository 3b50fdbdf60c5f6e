mod directory_list;
mod own_home;
mod patch;
mod races;
mod read_file;
mod special_files;
mod write_file;
