//! Paths of results, spelled so that another tool can be called with them.

use std::path::Path;

use hermes_host::workspace::{Unreadable, meant, spelled};

/// How much of what cannot be read is named in one answer.
const MAX_UNREADABLE: usize = 10;

/// A path that means `path` below `folder` when it is passed to another tool.
pub(crate) fn usable(folder: &str, path: &Path) -> String {
    if path.as_os_str().is_empty() {
        return folder.to_owned();
    }
    spelled(&if folder == "." { path.to_owned() } else { meant(folder).join(path) })
}

/// What below `folder` could not be read, and why.
pub(crate) fn unreadable(folder: &str, problems: &[Unreadable]) -> Vec<String> {
    let shown = problems.iter().take(MAX_UNREADABLE);
    let shown = shown.map(|problem| format!("{}: {}", usable(folder, &problem.path), problem.reason));
    let more = problems.len().checked_sub(MAX_UNREADABLE).filter(|more| *more > 0);
    shown.chain(more.map(|more| format!("and {more} more"))).collect()
}
