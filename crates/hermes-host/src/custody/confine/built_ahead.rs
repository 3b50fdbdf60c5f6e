//! Walls that were built before their program came, and whether they still are what would be built now.
//!
//! Between the two anybody may replace a file or a folder, and what is mounted above it falls or goes along. So what was
//! seen at each place when the walls stood is looked at again; whatever is different, they are built anew.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, StatxAttributes, StatxFlags, fstat, open, statx};

use super::loopback::leave_network;
use super::view::{Veils, raise};
use crate::process::Confinement;

/// Clocks of files go in steps: what changed less than this before it was read may change again without a trace.
const STEP: Duration = Duration::from_millis(100);

/// They are all around the confinement but its protected places.
pub(in crate::custody) struct BuiltAhead {
    seen: Vec<(PathBuf, AtFlags, Option<Seen>)>,
    /// Folders that something was placed above, as they were.
    below: Vec<(OwnedFd, Changed)>,
}

/// What stands at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    device: (u32, u32),
    inode: u64,
    is_mounted: bool,
}

/// When entries of a folder changed last. Nobody can set that.
type Changed = (i64, u64);

impl BuiltAhead {
    /// `None` where they cannot be built, or their state cannot be told later on.
    pub(in crate::custody) fn build(confinement: &Confinement) -> Option<Self> {
        let start = SystemTime::now().checked_sub(STEP)?.duration_since(UNIX_EPOCH).ok()?;
        let veils = Veils::of(confinement);
        let below: Option<Vec<_>> = veils.folders().map(|folder| lasting(folder, start)).collect();
        if !confinement.network {
            leave_network().ok()?;
        }
        raise(confinement, veils).ok()?;
        // Of a hidden link it is the end that is hidden; what is opened is no link.
        let open = confinement.writable.iter().map(|path| (path, AtFlags::SYMLINK_NOFOLLOW));
        let hidden = confinement.hidden.iter().map(|path| (path, AtFlags::empty()));
        let look = |(path, how): (&PathBuf, AtFlags)| Some((path.clone(), how, look(path, how)?));
        let seen: Vec<_> = open.chain(hidden).map(look).collect::<Option<_>>()?;
        let all_mounted = seen.iter().all(|(_, _, seen)| seen.is_none_or(|seen| seen.is_mounted));
        all_mounted.then_some(BuiltAhead { seen, below: below? })
    }

    /// Whether they are what would be built now.
    pub(in crate::custody) fn stand(&self) -> bool {
        let unchanged = |(folder, before): &(OwnedFd, Changed)| changed(folder) == Some(*before);
        let as_seen =
            |(path, how, before): &(PathBuf, AtFlags, Option<Seen>)| look(path, *how) == Some(*before);
        self.below.iter().all(unchanged) && self.seen.iter().all(as_seen)
    }
}

/// What is at a path, if anything. The outer `None`: this kernel does not tell what is mounted.
fn look(path: &Path, how: AtFlags) -> Option<Option<Seen>> {
    let Ok(facts) = statx(CWD, path, how, StatxFlags::INO) else { return Some(None) };
    facts.stx_attributes_mask.contains(StatxAttributes::MOUNT_ROOT).then(|| {
        Some(Seen {
            device: (facts.stx_dev_major, facts.stx_dev_minor),
            inode: facts.stx_ino,
            is_mounted: facts.stx_attributes.contains(StatxAttributes::MOUNT_ROOT),
        })
    })
}

/// A folder that has not changed since `start`.
fn lasting(folder: &Path, start: Duration) -> Option<(OwnedFd, Changed)> {
    let folder = open(folder, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let changed = changed(&folder)?;
    let start = (i64::try_from(start.as_secs()).ok()?, u64::from(start.subsec_nanos()));
    (changed < start).then_some((folder, changed))
}

fn changed(folder: &OwnedFd) -> Option<Changed> {
    fstat(folder).ok().map(|facts| (facts.st_ctime, facts.st_ctime_nsec))
}
