//! What a command that somebody agreed to left at its places, file by file: others are not excused for making something
//! else of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::copied::Copied;
use super::harmless::what_runs;
use super::listing::listed;

/// Of what is longer, and of all beyond this together, it is only known whether it changed.
const LONGEST: u64 = 256 * 1024;
const MOST_BYTES: u64 = 1024 * 1024;
/// Of a folder with more files in it too.
const MOST_FILES: usize = 1_000;

/// By their paths; what has no name in letters is never known.
pub(super) type Left = BTreeMap<PathBuf, Copied>;

/// What is there now.
pub(super) fn seen(place: &Path) -> Left {
    let mut room = MOST_BYTES;
    let mut all = Left::new();
    for path in files(place).into_iter().filter(|path| path.to_str().is_some()) {
        if let Some(copied) = Copied::of(&path, room.min(LONGEST)) {
            room -= copied.bytes().map_or(0, |bytes| bytes.len() as u64);
            all.insert(path, copied);
        }
    }
    all
}

/// What is at the place and not as it was left.
pub(super) fn strange(left: &Left, place: &Path) -> Vec<PathBuf> {
    let is_same = |path: &PathBuf| {
        let is_now = |was: &Copied| {
            Copied::of(path, LONGEST).is_some_and(|now| now == *was)
                || Copied::other(path).is_some_and(|marks| marks == *was)
        };
        left.get(path).is_some_and(is_now)
    };
    files(place).into_iter().filter(|path| fs::symlink_metadata(path).is_ok() && !is_same(path)).collect()
}

/// The files of a place that make programs run.
pub(super) fn files(place: &Path) -> Vec<PathBuf> {
    what_runs(place).iter().flat_map(|part| files_below(part)).collect()
}

fn files_below(part: &Path) -> Vec<PathBuf> {
    let is_folder = |path: &Path| fs::symlink_metadata(path).is_ok_and(|facts| facts.is_dir());
    let (mut found, mut folders) = (Vec::new(), Vec::new());
    if is_folder(part) {
        folders.push(part.to_owned())
    } else {
        found.push(part.to_owned())
    }
    while let Some(folder) = folders.pop() {
        for (name, is_folder) in listed(&folder, MOST_FILES) {
            let to = if is_folder { &mut folders } else { &mut found };
            to.push(folder.join(name));
        }
        if found.len() + folders.len() >= MOST_FILES {
            return vec![part.to_owned()];
        }
    }
    found
}
