//! Folders that no command can move: what the rules say about a place they say about its name, and moved with a folder
//! around it the place would be free, and its name free for another.

use std::path::{Path, PathBuf};

use super::scene::Scene;
use crate::places::way_to;

/// Those on the way from where commands write to places that stay as they are or are not seen; `ends` stay because one of
/// the protected leads there. What is closed under any name needs none: a folder that cannot be moved is a file system of
/// its own to programs that move things out of it.
pub(super) fn fixed(
    scene: &Scene<'_>,
    writable: &[PathBuf],
    (protected, ends): (&[PathBuf], &[PathBuf]),
    hidden: &[PathBuf],
) -> Vec<PathBuf> {
    let is_free = |moved: &Path| scene.may_write(moved);
    let is_seen = |moved: &Path| !scene.is_denied_to_readers(moved);
    // Nothing else is written in a repository, whose folders are told with it.
    let is_gits = |place: &&PathBuf| place.iter().any(|name| name == ".git");
    let mut fixed = ways(writable, protected.iter().filter(|place| !is_gits(place)), is_free);
    fixed.extend(ways(writable, hidden.iter().filter(|place| !is_gits(place)), is_seen));
    // What lies in an end stays with it.
    fixed.retain(|folder| !ends.iter().any(|end| folder.starts_with(end)));
    fixed.extend(ways(writable, ends.iter(), |_| true));
    fixed.sort();
    fixed.dedup();
    fixed
}

fn ways<'p>(
    writable: &[PathBuf],
    places: impl Iterator<Item = &'p PathBuf>,
    is_free: impl Fn(&Path) -> bool,
) -> Vec<PathBuf> {
    let mut fixed = Vec::new();
    for place in places {
        for folder in way_to(place, writable).unwrap_or_default() {
            let moved = moved(place, &folder);
            if !fixed.contains(&folder) && moved.is_some_and(|moved| is_free(&moved)) {
                fixed.push(folder);
            }
        }
    }
    fixed
}

/// The place under another name of a folder around it.
fn moved(place: &Path, folder: &Path) -> Option<PathBuf> {
    let mut name = folder.file_name()?.to_owned();
    name.push("-moved");
    Some(folder.with_file_name(name).join(place.strip_prefix(folder).ok()?))
}
