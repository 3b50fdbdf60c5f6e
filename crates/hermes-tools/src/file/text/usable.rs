//! Paths of results, spelled so that another tool can be called with them.

use std::path::Path;

/// A path that means `path` below `folder` when it is passed to another tool.
pub(crate) fn usable(folder: &str, path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return folder.to_owned();
    }
    let joined = if folder == "." { path.to_owned() } else { Path::new(folder).join(path) };
    joined.to_string_lossy().into_owned()
}
