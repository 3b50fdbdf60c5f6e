//! Folders below a folder, by handle.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, mkdirat, openat, statat, unlinkat};
use rustix::io::{Errno, Result};

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Opens `path` below `root`, making what is missing; what was made is added to `made`, outermost first.
pub(super) fn open_or_make(root: &OwnedFd, path: &Path, made: &mut Vec<PathBuf>) -> Result<OwnedFd> {
    let mut folder = openat(root, ".", FOLDER, Mode::empty())?;
    let mut here = PathBuf::new();
    for name in path {
        here.push(name);
        match mkdirat(&folder, name, Mode::from_raw_mode(0o777)) {
            Ok(()) => made.push(here.clone()),
            Err(Errno::EXIST) => {}
            Err(errno) => return Err(errno),
        }
        folder = openat(&folder, name, FOLDER, Mode::empty())?;
    }
    Ok(folder)
}

/// Opens `path` below `root`.
pub(super) fn open(root: &OwnedFd, path: &Path) -> Result<OwnedFd> {
    let mut folder = openat(root, ".", FOLDER, Mode::empty())?;
    for name in path {
        folder = openat(&folder, name, FOLDER, Mode::empty())?;
    }
    Ok(folder)
}

/// Removes a folder with everything in it, as far as that goes.
pub(in crate::workspace) fn remove_tree(parent: impl AsFd, name: &OsStr) {
    let Ok(folder) = openat(&parent, name, FOLDER, Mode::empty()) else { return };
    let names: Vec<OsString> = match Dir::read_from(&folder) {
        Ok(entries) => entries
            .filter_map(|entry| Some(OsString::from_vec(entry.ok()?.file_name().to_bytes().to_vec())))
            .filter(|name| name != "." && name != "..")
            .collect(),
        Err(_) => return,
    };
    for inner in names {
        let is_folder = statat(&folder, &*inner, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory);
        if is_folder {
            remove_tree(&folder, &inner);
        } else {
            let _ = unlinkat(&folder, &*inner, AtFlags::empty());
        }
    }
    let _ = unlinkat(&parent, name, AtFlags::REMOVEDIR);
}
