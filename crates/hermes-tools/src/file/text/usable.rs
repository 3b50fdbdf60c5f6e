//! Paths of results, spelled so that another tool can be called with them.

use std::path::Path;

use hermes_host::workspace::{meant, spelled};

/// A path that means `path` below `folder` when it is passed to another tool.
pub(crate) fn usable(folder: &str, path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return folder.to_owned();
    }
    spelled(&if folder == "." { path.to_owned() } else { meant(folder).join(path) })
}
