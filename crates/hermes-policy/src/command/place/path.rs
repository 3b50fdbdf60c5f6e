//! Paths as texts.

use crate::shell::walked;

/// Without `.`, `..` and doubled slashes. Symbolic links are not followed: nothing is looked at.
pub(crate) fn normal(path: &str) -> String {
    walked("", path)
}

pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
