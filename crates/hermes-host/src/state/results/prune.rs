//! Keeps the folder of results within its bounds: what is too old goes, then the oldest until it fits.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::state::files::TEMPORARY;

/// How old an unfinished file must be before nobody can still be writing it.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

struct Stored {
    modified: SystemTime,
    bytes: u64,
    path: PathBuf,
}

/// Removes what is beyond the bounds and says how many bytes are left. Other processes may put and
/// prune meanwhile, so a file that is gone already is not an error.
pub(super) fn prune(folder: &Path, max_bytes: u64, max_age: Duration, now: SystemTime) -> io::Result<u64> {
    let mut left = Vec::new();
    for session in entries(folder)? {
        if !session.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        for file in entries(&session.path())? {
            left.extend(keep_young(&file, max_age, now)?);
        }
    }
    left.sort_by(|a, b| (a.modified, &a.path).cmp(&(b.modified, &b.path)));
    let mut total: u64 = left.iter().map(|file| file.bytes).sum();
    for file in left {
        if total <= max_bytes {
            break;
        }
        remove(&file.path)?;
        total -= file.bytes;
    }
    for session in entries(folder)? {
        // Works on empty folders only, which is what is wanted.
        let _ = fs::remove_dir(session.path());
    }
    Ok(total)
}

/// Removes the file if it is too old, otherwise tells about it.
fn keep_young(file: &DirEntry, max_age: Duration, now: SystemTime) -> io::Result<Option<Stored>> {
    let Ok(meta) = file.metadata() else { return Ok(None) };
    let modified = meta.modified()?;
    let unfinished = file.file_name().to_string_lossy().starts_with(TEMPORARY);
    let max_age = if unfinished { ABANDONED } else { max_age };
    if now.duration_since(modified).is_ok_and(|age| age > max_age) {
        remove(&file.path())?;
        return Ok(None);
    }
    Ok((!unfinished).then(|| Stored { modified, bytes: meta.len(), path: file.path() }))
}

fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    match fs::read_dir(folder) {
        Ok(entries) => Ok(entries.filter_map(Result::ok).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
