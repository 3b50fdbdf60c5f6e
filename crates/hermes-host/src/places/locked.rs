//! Folders that a program closed to their owner. Whoever looks for what it left sees nothing in them, and its owner opens
//! them again some day, with all that is in them.

use std::fs::{self, File, Metadata, Permissions};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::time::SystemTime;

use super::listing::listed;
use super::since::is_changed;
use crate::spot::FOLDER;
use crate::workspace::open_exact;

/// What an owner needs to see what is in a folder.
const LOOK: u32 = 0o500;
/// Of a folder with more in it nobody says that it runs nothing.
const MOST: usize = 5_000;

/// Opens a folder to its owner that was closed since then; whether that was so. What somebody closed before is theirs.
pub(super) fn open_again(folder: &Path, since: SystemTime) -> bool {
    let Ok(opened) = open_exact(folder, FOLDER) else { return false };
    let opened = File::from(opened);
    let is_closed = |facts: Metadata| facts.mode() & LOOK != LOOK && is_changed(&facts, since);
    let was_closed = opened.metadata().is_ok_and(is_closed);
    was_closed && give_back(&OwnedFd::from(opened)).is_ok()
}

/// The same for it and all that lie in it.
pub(super) fn open_all_again(folder: &Path, since: SystemTime) {
    let mut folders = vec![folder.to_owned()];
    let mut seen = 0;
    while let Some(folder) = folders.pop().filter(|_| seen < MOST) {
        open_again(&folder, since);
        let inside = listed(&folder, MOST);
        seen += inside.len();
        let inside = inside.into_iter().filter(|(_, is_folder)| *is_folder);
        folders.extend(inside.map(|(name, _)| folder.join(name)));
    }
}

/// Gives the owner of a folder that is held open what an owner may do in it.
pub(super) fn give_back(folder: &OwnedFd) -> std::io::Result<()> {
    let open = format!("/proc/self/fd/{}", folder.as_raw_fd());
    let mode = fs::metadata(&open)?.permissions().mode();
    fs::set_permissions(open, Permissions::from_mode(mode | 0o700))
}
