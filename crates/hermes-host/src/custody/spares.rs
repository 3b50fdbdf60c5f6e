//! Empty folders that will stand in for something, made while nobody waits and kept in the folder of Hermes until then. To
//! make a folder takes some disks longer than everything else that a command needs; to move one takes none any time.
//!
//! Each is used once and then removed where it stood: whoever still has it open from there has nothing.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::Mode;

use super::placeholders::OUR_FOLDER;
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
        self.spare(path).is_some_and(|spare| spare.move_to(spot).is_ok())
    }

    /// Makes one for the next time.
    pub(super) fn provide(&self, path: &Path) {
        self.make_room();
        if let Some(spare) = self.spare(path) {
            // As it will be seen at its place.
            let mask = rustix::process::umask(Mode::empty());
            let _ = spare.make_folder(OUR_FOLDER);
            rustix::process::umask(mask);
        }
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
