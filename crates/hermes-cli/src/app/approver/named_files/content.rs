//! What a file holds, in one line.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use crate::app::trust::digest;

/// Files beyond this are known by size and times.
const LARGEST: u64 = 8 << 20;
const SCRIPTS: &[&str] = &[
    "sh", "bash", "zsh", "fish", "py", "js", "mjs", "cjs", "ts", "rb", "pl", "php", "lua", "ps1", "awk",
    "sql", "mk",
];

/// The content of a regular file; of any with `all`, otherwise of one that looks as if it can be run.
pub(super) fn content(path: &Path, all: bool) -> Option<String> {
    let meta = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if !all && meta.permissions().mode() & 0o111 == 0 && !SCRIPTS.contains(&extension) {
        return None;
    }
    // The time of the last change of any kind cannot be set back by whoever changed the file.
    let stamp = || {
        let (written, changed) = ((meta.mtime(), meta.mtime_nsec()), (meta.ctime(), meta.ctime_nsec()));
        format!("stamp:{} {}.{:09} {}.{:09}", meta.size(), written.0, written.1, changed.0, changed.1)
    };
    if meta.len() > LARGEST {
        return Some(stamp());
    }
    Some(std::fs::read(path).map_or_else(|_| stamp(), |content| format!("sha256:{}", digest(content))))
}
