//! What stands in for protected places that are not there yet: something must be there to be made read-only.
//! It goes away with the last program that needed it.

use std::fs::{self, File, Metadata, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::io::Errno;

use super::spares::Spares;
use crate::process::Confinement;
use crate::spot::Spot;

/// Nobody gives a folder or file these modes by accident: they say it is ours to remove. A folder that may not be
/// written could not be moved.
pub(super) const OUR_FOLDER: u32 = 0o1755;
const OUR_FILE: u32 = 0o1444;

/// Files that git reads wherever they are, and what they say there without changing anything: that settings are
/// where they are without the file, and no settings.
const FILES: &[(&str, &str)] = &[("commondir", ".\n"), ("config", ""), ("config.worktree", "")];

const MOST_TRIES: usize = 50;
const A_MOMENT: Duration = Duration::from_micros(500);

/// Held as long as a program needs them, each with the folder that it was made in: commands that began earlier may move
/// that folder, and put a link to another in its place.
pub(super) struct Placeholders {
    held: Vec<(PathBuf, Spot, File)>,
    spares: Option<Spares>,
}

impl Placeholders {
    /// Makes the missing ones, where the folder around them is there.
    pub(super) fn make(confinement: &Confinement) -> Self {
        let spares = confinement.vacant.as_ref().and_then(|vacant| Spares::beside(&vacant.quarantine));
        let hold = |path: &PathBuf| {
            let (spot, held) = hold(path, spares.as_ref())?;
            Some((path.clone(), spot, held))
        };
        Placeholders { held: confinement.protected.iter().filter_map(hold).collect(), spares }
    }

    /// Removes those that no other program holds.
    pub(super) fn remove(self) -> Removed {
        let mut gone = Vec::new();
        for (path, spot, held) in self.held {
            let is_folder = held.metadata().is_ok_and(|facts| facts.is_dir());
            let is_last = flock(&held, FlockOperation::NonBlockingLockExclusive).is_ok();
            if is_last && spot.remove(held).is_ok() && is_folder {
                gone.push(path);
            }
        }
        Removed { gone, spares: self.spares }
    }
}

/// Folders that are gone, and may be wanted again.
#[must_use]
pub(super) struct Removed {
    gone: Vec<PathBuf>,
    spares: Option<Spares>,
}

impl Removed {
    /// Makes others for the next program, once nobody waits any more.
    pub(super) fn provide(self) {
        if let Some(spares) = self.spares {
            self.gone.iter().for_each(|path| spares.provide(path));
        }
    }
}

fn hold(path: &Path, spares: Option<&Spares>) -> Option<(Spot, File)> {
    // Most of what is protected has long been there.
    if fs::symlink_metadata(path).is_ok_and(|facts| !is_ours(&facts)) {
        return None;
    }
    let spot = Spot::at(path).ok()?;
    // It may be there, and another program may remove it between our looking and our holding it.
    for _ in 0..MOST_TRIES {
        if !spares.is_some_and(|spares| spares.take(path, &spot)) {
            make(&spot, path)?;
        }
        let held = File::from(spot.open(OFlags::RDONLY).ok()?);
        if !is_ours(&held.metadata().ok()?) {
            return None;
        }
        match flock(&held, FlockOperation::NonBlockingLockShared) {
            Ok(()) if spot.holds(&held) => return Some((spot, held)),
            // Whoever removes it has it for a moment.
            Ok(()) | Err(Errno::WOULDBLOCK) => std::thread::sleep(A_MOMENT),
            Err(_) => return None,
        }
    }
    None
}

/// Whether it stands in for what is not there, for some other program.
pub(crate) fn is_placeholder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|facts| is_ours(&facts) && facts.is_dir())
        && fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

fn is_ours(facts: &Metadata) -> bool {
    match facts.permissions().mode() & 0o7777 {
        OUR_FOLDER => facts.is_dir(),
        OUR_FILE => facts.is_file(),
        _ => false,
    }
}

/// `None` if it was made and cannot be ours; what is there already is left alone.
fn make(spot: &Spot, path: &Path) -> Option<()> {
    let name = path.file_name().and_then(|name| name.to_str());
    let file = FILES.iter().find(|(file, _)| name == Some(file));
    let Some((_, text)) = file else {
        // Nobody else must see it with other modes, so they are not changed afterwards.
        let mask = rustix::process::umask(Mode::empty());
        let _ = spot.make_folder(OUR_FOLDER);
        rustix::process::umask(mask);
        return Some(());
    };
    if let Ok(mut made) = spot.make_file(0o600) {
        made.write_all(text.as_bytes()).ok()?;
        made.set_permissions(Permissions::from_mode(OUR_FILE)).ok()?;
    }
    Some(())
}
