//! Keeps the store within its bounds: what is too old goes, then the oldest until the rest fits.

use std::collections::BTreeSet;
use std::fs;
use std::io;

use super::objects::{is_name, size};
use super::store::UndoStore;
use crate::state::files::TEMPORARY;

/// Needs the store to itself: whoever records meanwhile counts on the contents that are there.
pub(super) fn prune(store: &UndoStore, now_ms: i64) -> io::Result<()> {
    let (mut used, mut kept) = (0_u64, BTreeSet::new());
    for record in store.read_all()? {
        let contents: BTreeSet<&str> = record.files.iter().filter_map(|file| file.before.sha256()).collect();
        let new = contents.iter().filter(|sha256| !kept.contains(**sha256));
        let needed: u64 = new.map(|sha256| size(&store.objects.path(sha256))).sum();
        let too_old = now_ms.saturating_sub(record.at_ms) > store.limits.max_age_ms;
        if too_old || used.saturating_add(needed) > store.limits.max_bytes {
            // From here on everything is older still, and a gap in history would be worse than its end.
            used = u64::MAX;
            remove(&store.place_of(&record.id))?;
            continue;
        }
        used += needed;
        kept.extend(contents.into_iter().map(str::to_owned));
    }
    for entry in fs::read_dir(&store.objects.folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        // With the store to ourselves, an unfinished file is an abandoned one.
        if name.starts_with(TEMPORARY) || (is_name(name) && !kept.contains(name)) {
            remove(&path)?;
        }
    }
    Ok(())
}

fn remove(path: &std::path::Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
