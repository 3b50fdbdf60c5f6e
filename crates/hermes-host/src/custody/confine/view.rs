//! What the program sees of the file system: everything read-only, its own folders writable above that,
//! some places kept as they are, some hidden, devices and processes its own.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::devices::{self, Devices};
use super::mount_calls::{
    Depth, NO_DEVICES, NO_SETUID, Outcome, READ_ONLY, change, mount_new, picked, place, separate,
};
use crate::process::Confinement;

/// An empty file that nobody may read, placed above files that are hidden.
const CLOSED_FILE: &str = "/dev/.closed";

/// Runs as the first process of its namespaces, with privileges there.
pub(in crate::custody) fn build_view(confinement: &Confinement, cwd: &Path) -> Outcome {
    separate()?;
    let devices = Devices::pick()?;
    change(Path::new("/"), Depth::Whole, READ_ONLY | NO_SETUID | NO_DEVICES, 0)?;
    for (path, writable) in from_the_outside_in(confinement) {
        if writable { open_for_writing(path)? } else { keep_as_it_is(path)? }
    }
    devices.lay_out()?;
    close_file()?;
    for path in &confinement.hidden {
        hide(path)?;
    }
    mount_new("proc", Path::new("/proc"), libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC, "")?;
    devices::seal()?;
    // The folder we stand in is still the one below the new view.
    std::env::set_current_dir(cwd).map_err(|error| format!("its working folder {}: {error}", cwd.display()))
}

/// A writable folder may lie in a protected one and the other way round: the inner one is placed above.
fn from_the_outside_in(confinement: &Confinement) -> Vec<(&Path, bool)> {
    let writable = confinement.writable.iter().map(|path| (path.as_path(), true));
    let protected = confinement.protected.iter().map(|path| (path.as_path(), false));
    let mut all: Vec<(&Path, bool)> = writable.chain(protected).collect();
    // At the same place protection has the last word.
    all.sort_by_key(|(path, writable)| (path.components().count(), !writable));
    all
}

/// A folder that was read-only before we came stays so.
fn open_for_writing(folder: &Path) -> Outcome {
    let tree = match picked(folder, Depth::Whole) {
        Ok(tree) => tree,
        Err(_) if !folder.exists() => return Ok(()),
        Err(reason) => return Err(reason),
    };
    place(&tree, folder)?;
    change(folder, Depth::Whole, NO_SETUID | NO_DEVICES, READ_ONLY)
        .or_else(|_| change(folder, Depth::One, NO_SETUID | NO_DEVICES, READ_ONLY))
        .or_else(|reason| if read_only(folder) { Ok(()) } else { Err(reason) })
}

fn read_only(folder: &Path) -> bool {
    rustix::fs::statvfs(folder)
        .is_ok_and(|facts| facts.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY))
}

/// The custodian made what was not there, so there is something to place.
fn keep_as_it_is(path: &Path) -> Outcome {
    if fs::symlink_metadata(path).is_err() {
        return Ok(());
    }
    place(&picked(path, Depth::Whole)?, path)?;
    change(path, Depth::Whole, READ_ONLY, 0)
}

fn close_file() -> Outcome {
    let made = OpenOptions::new().write(true).create_new(true).mode(0o000).open(CLOSED_FILE);
    made.map(drop).map_err(|error| format!("{CLOSED_FILE}: {error}"))
}

fn hide(path: &Path) -> Outcome {
    // What a link leads to is what must not be read; the link itself says nothing.
    let real: PathBuf = match path.canonicalize() {
        Ok(real) => real,
        Err(_) => return Ok(()),
    };
    if real.is_dir() {
        let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
        return mount_new("tmpfs", &real, flags, "mode=000,size=4k");
    }
    place(&picked(Path::new(CLOSED_FILE), Depth::One)?, &real)?;
    change(&real, Depth::One, READ_ONLY, 0)
}
