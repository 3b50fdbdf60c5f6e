//! Keeps walls around single places standing while the program runs. Whoever replaces a file outside by another, as git
//! and editors do, takes the mount above it away, in every view; the first process sees that and puts it back.
//!
//! It looks again and again, for watches of the kernel are few for each user and belong to whoever works beside us.

use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};

use super::view::{hide, keep_as_it_is};
use crate::process::Confinement;

/// All places that are kept or hidden by a mount of their own.
pub(in crate::custody) struct Lookout<'a> {
    confinement: &'a Confinement,
    walls: Vec<Wall<'a>>,
    /// When to look next.
    due: Cell<Instant>,
}

#[derive(Clone, Copy)]
enum Wall<'a> {
    Kept(&'a Path),
    Hidden(&'a Path),
}

impl<'a> Lookout<'a> {
    /// How long a fallen wall may lie.
    const EVERY: Duration = Duration::from_millis(50);
    /// Something may have been replaced since the walls were built. Most commands have ended by then, and need no look.
    const FIRST: Duration = Duration::from_millis(10);

    /// `None` where there is nothing to look out for.
    pub(in crate::custody) fn begin(confinement: &'a Confinement) -> Option<Self> {
        let kept = confinement.protected.iter().map(|path| Wall::Kept(path));
        let hidden = confinement.hidden.iter().map(|path| Wall::Hidden(path));
        let walls: Vec<Wall<'a>> = kept.chain(hidden).collect();
        let due = Cell::new(Instant::now() + Self::FIRST);
        (!walls.is_empty()).then_some(Lookout { confinement, walls, due })
    }

    /// How long there is nothing to do.
    pub(in crate::custody) fn rest(&self) -> Duration {
        self.due.get().saturating_duration_since(Instant::now())
    }

    /// Looks where it is time to, whatever else has happened meanwhile.
    pub(in crate::custody) fn look_when_due(&self) {
        if self.rest().is_zero() {
            self.look();
            self.due.set(Instant::now() + Self::EVERY);
        }
    }

    /// Puts back what has fallen.
    fn look(&self) {
        for wall in self.walls.iter().filter(|wall| !wall.stands()) {
            // What cannot be put back is as it would be without a lookout.
            let _ = match wall {
                Wall::Kept(path) => keep_as_it_is(path, self.confinement),
                Wall::Hidden(path) => hide(path),
            };
        }
    }
}

impl Wall<'_> {
    /// Whether something is mounted right there.
    fn stands(&self) -> bool {
        // Of a hidden link it is the end that is hidden.
        let (path, flags) = match self {
            Wall::Kept(path) => (path, AtFlags::SYMLINK_NOFOLLOW),
            Wall::Hidden(path) => (path, AtFlags::empty()),
        };
        let Ok(facts) = statx(CWD, *path, flags, StatxFlags::empty()) else { return false };
        // Kernels before 5.8 do not tell; a wall upon each wall at every look would be worse than a fallen one.
        let told = facts.stx_attributes_mask.contains(StatxAttributes::MOUNT_ROOT);
        !told || facts.stx_attributes.contains(StatxAttributes::MOUNT_ROOT)
    }
}
