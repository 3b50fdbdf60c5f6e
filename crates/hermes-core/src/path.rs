//! Paths by their letters alone, without looking at the file system.

use std::path::{Component, Path, PathBuf};

/// The absolute path without `.` and `..`; `..` at the root stays there.
pub fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::Normal(name) => cleaned.push(name),
            Component::ParentDir => {
                cleaned.pop();
            }
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    cleaned
}
