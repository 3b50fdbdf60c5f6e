//! What the program sees of the file system: everything read-only, its own folders writable above that,
//! some places kept as they are, some hidden, devices and processes its own.

use std::fs;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, OFlags, StatVfsMountFlags};
use rustix::io::Errno;

use super::devices::{CLOSED_FILE, CLOSED_FOLDER, Devices, seal};
use super::mount_calls::{
    Depth, NO_DEVICES, NO_SETUID, Outcome, READ_ONLY, change, change_tree, mount_new, picked_at, place_above,
    place_one, separate,
};
use super::veil::Shown;
pub(super) use super::veil::Veils;
use crate::process::Confinement;
use crate::spot::Spot;
use crate::workspace::open_exact;

/// What every program sees. Runs as the first process of its namespaces, with privileges there. `terminal` is the one
/// that the program was given.
pub(in crate::custody) fn common_view(terminal: Option<&Path>) -> Outcome {
    separate()?;
    let devices = Devices::pick(terminal)?;
    change(Path::new("/"), Depth::Whole, READ_ONLY | NO_SETUID | NO_DEVICES, 0)?;
    devices.lay_out()?;
    // Not to be written, so that no program of a command changes the memory of another.
    let quiet = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
    mount_new("proc", Path::new("/proc"), quiet, "")
}

/// What this one sees, above that.
pub(in crate::custody) fn own_view(confinement: &Confinement, cwd: &Path) -> Outcome {
    raise(confinement, Veils::of(confinement)).map_err(not_set_up)?;
    enter(cwd)
}

/// The walls of [`own_view`].
pub(super) fn raise(confinement: &Confinement, veils: Veils) -> Outcome {
    // Before anything in them is opened for writing.
    for (folder, shown) in veils.around_files {
        hide_all_but(&folder, &shown)?;
    }
    for (path, writable) in from_the_outside_in(confinement) {
        if writable { open_for_writing(path) } else { keep_as_it_is(path, confinement) }?;
    }
    // Where everything may be written, the devices were opened with the rest.
    seal()?;
    for path in &confinement.hidden {
        match (veils.with_something_shown.get(path), veils.kinds.get(path)) {
            (Some(shown), _) => hide_all_but(path, shown)?,
            // In a folder that is hidden itself it is gone, and elsewhere it may be another one by now.
            (None, Some(kind)) if !kind.is_symlink() => {
                cover(path, kind.is_dir()).or_else(|_| hide(path))?;
            }
            // Also where nothing was: something may have come.
            _ => hide(path)?,
        }
    }
    Ok(())
}

/// What [`raise`] left out because nobody knew it yet.
pub(in crate::custody) fn keep_all_as_they_are(confinement: &Confinement, cwd: &Path) -> Outcome {
    for (path, writable) in from_the_outside_in(confinement) {
        if !writable {
            keep_as_it_is(path, confinement).map_err(not_set_up)?;
        }
    }
    enter(cwd)
}

fn not_set_up(reason: String) -> String {
    format!("the sandbox cannot be set up ({reason})")
}

/// The folder we stand in is still the one below the new view.
fn enter(cwd: &Path) -> Outcome {
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

/// A folder that was read-only before we came stays so. Programs that already run may put a link there at any moment, so
/// the place is opened once and no link is followed; what is not where it was judged is not opened at all.
fn open_for_writing(folder: &Path) -> Outcome {
    // Nobody would see what is placed above the root. Other disks, devices and processes are no part of it.
    if folder.parent().is_none() {
        return change(folder, Depth::One, NO_SETUID | NO_DEVICES, READ_ONLY)
            .or_else(|reason| if is_read_only(folder) { Ok(()) } else { Err(reason) });
    }
    let place = match open_exact(folder, OFlags::PATH) {
        Ok(place) => place,
        Err(Errno::NOENT | Errno::LOOP | Errno::NOTDIR) => return Ok(()),
        Err(error) => return Err(format!("opening {}: {error}", folder.display())),
    };
    let tree = picked_at(&place, Depth::Whole, folder)?;
    change_tree(&tree, Depth::Whole, (NO_SETUID | NO_DEVICES, READ_ONLY), folder)
        .or_else(|_| change_tree(&tree, Depth::One, (NO_SETUID | NO_DEVICES, READ_ONLY), folder))
        .or_else(|reason| if read_only(&tree) { Ok(()) } else { Err(reason) })?;
    // Removed meanwhile, it is not there.
    place_above(&tree, &place, folder).or_else(|reason| match open_exact(folder, OFlags::PATH) {
        Err(_) => Ok(()),
        Ok(_) => Err(reason),
    })
}

fn read_only(tree: &OwnedFd) -> bool {
    rustix::fs::fstatvfs(tree).is_ok_and(|facts| facts.f_flag.contains(StatVfsMountFlags::RDONLY))
}

fn is_read_only(folder: &Path) -> bool {
    rustix::fs::statvfs(folder).is_ok_and(|facts| facts.f_flag.contains(StatVfsMountFlags::RDONLY))
}

/// The custodian made what was not there, so there is something to place.
pub(super) fn keep_as_it_is(path: &Path, confinement: &Confinement) -> Outcome {
    let Some(found) = found_at(path).map_err(|error| format!("{}: {error}", path.display()))? else {
        return Ok(());
    };
    let kind =
        rustix::fs::fstat(&found).map_or(FileType::Unknown, |facts| FileType::from_raw_mode(facts.st_mode));
    if !kind.is_symlink() {
        let tree = picked_at(&found, Depth::Whole, path)?;
        change_tree(&tree, Depth::Whole, (READ_ONLY, 0), path)?;
        return place_above(&tree, &found, path);
    }
    // A link is kept as the link that it is, and so is what it leads to where that could be written.
    place_above(&picked_at(&found, Depth::One, path)?, &found, path)?;
    match path.canonicalize() {
        // There is nothing to place it above where everything begins.
        Ok(end)
            if end.parent().is_some()
                && confinement.writable.iter().any(|folder| end.starts_with(folder)) =>
        {
            keep_as_it_is(&end, confinement)
        }
        _ => Ok(()),
    }
}

/// What is at a path, be it a link; links on the way are followed before it is opened, and not while.
fn found_at(path: &Path) -> rustix::io::Result<Option<OwnedFd>> {
    let open = |path: &Path| Spot::at(path).and_then(|spot| spot.open(OFlags::PATH));
    let found = open(path).or_else(|error| match (error, path.parent().zip(path.file_name())) {
        (Errno::LOOP | Errno::NOTDIR, Some((folder, name))) => {
            let folder =
                folder.canonicalize().map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
            open(&folder.join(name))
        }
        (error, _) => Err(error),
    });
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Places an empty folder above it, and in that what can be read all the same. What comes into the folder below
/// later is not seen, and what cannot be picked up is not either.
fn hide_all_but(folder: &Path, shown: &[PathBuf]) -> Outcome {
    let shown: Vec<(&PathBuf, Shown)> =
        shown.iter().filter_map(|path| Some((path, Shown::pick(path)?))).collect();
    let quiet = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    mount_new("tmpfs", folder, quiet, "mode=755,size=64k")?;
    for (path, thing) in &shown {
        thing.lay_out(path);
    }
    change(folder, Depth::Whole, READ_ONLY | NO_SETUID | NO_DEVICES, 0)
}

/// Places something empty above it that nobody may open. What a link leads to is what must not be read; the link
/// itself says nothing.
pub(super) fn hide(path: &Path) -> Outcome {
    let Ok(facts) = fs::metadata(path) else { return Ok(()) };
    cover(path, facts.is_dir())
}

/// Fails where it is of the other kind.
fn cover(path: &Path, is_folder: bool) -> Outcome {
    place_one(Path::new(if is_folder { CLOSED_FOLDER } else { CLOSED_FILE }), path)
}
