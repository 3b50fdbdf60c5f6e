//! Empty folders that stood in for something and will again, kept in the folder of Hermes meanwhile. To make a folder
//! and to remove it takes some disks longer than everything else that a command needs; to move one takes none any time.
//!
//! Each goes back to the place that it came from and to no other: whoever still has it open from there could put
//! something into it, and may do so where it could do that anyway.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::Dir;

use super::placeholders::is_ours;
use crate::spot::{FOLDER, Spot};
use crate::workspace::open_exact;

const FOLDER_NAME: &str = "placeholders";
/// When there are so many, all are removed.
const MOST: usize = 256;

pub(super) struct Spares {
    path: PathBuf,
    folder: OwnedFd,
}

impl Spares {
    /// Beside the quarantine, where commands cannot look.
    pub(super) fn beside(quarantine: &Path) -> Option<Self> {
        let path = quarantine.parent()?.join(FOLDER_NAME);
        let folder = open_exact(&path, FOLDER).or_else(|error| {
            let made = fs::DirBuilder::new().mode(0o700).create(&path);
            made.map_err(|_| error).and_then(|()| open_exact(&path, FOLDER))
        });
        Some(Spares { folder: folder.ok()?, path })
    }

    /// Puts the one for this place there.
    pub(super) fn take(&self, path: &Path, spot: &Spot) -> bool {
        let taken = self.spare(path).is_some_and(|spare| spare.move_to(spot).is_ok());
        if !taken {
            self.make_room();
        }
        taken
    }

    /// Takes one away from there; only an empty one that nobody changed.
    pub(super) fn keep(&self, path: &Path, spot: &Spot, held: &File) -> bool {
        let is_as_made =
            || held.metadata().is_ok_and(|facts| facts.is_dir() && is_ours(&facts)) && is_empty(held);
        spot.holds(held) && is_as_made() && self.spare(path).is_some_and(|spare| spot.move_to(&spare).is_ok())
    }

    /// Most places are worked in for a while and then never again.
    fn make_room(&self) {
        let entries: Vec<_> = fs::read_dir(&self.path).into_iter().flatten().flatten().collect();
        if entries.len() >= MOST {
            for entry in entries {
                let _ = fs::remove_dir(entry.path());
            }
        }
    }

    fn spare(&self, path: &Path) -> Option<Spot> {
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        Spot::within(&self.folder, format!("{:016x}", hasher.finish())).ok()
    }
}

fn is_empty(folder: &File) -> bool {
    let Ok(entries) = Dir::read_from(folder) else { return false };
    entries.flatten().all(|entry| matches!(entry.file_name().to_bytes(), b"." | b".."))
}
