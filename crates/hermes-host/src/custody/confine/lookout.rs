//! Keeps walls around single places standing while the program runs. Whoever replaces a file outside by another, as git
//! and editors do, takes the mount above it away, in every view; the first process sees that and puts it back.
//!
//! It looks again and again, for watches of the kernel are few for each user and belong to whoever works beside us.

use std::path::Path;
use std::time::Duration;

use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};

use super::view::{hide, keep_as_it_is};
use crate::process::Confinement;

/// All places that are kept or hidden by a mount of their own.
pub(in crate::custody) struct Lookout<'a> {
    confinement: &'a Confinement,
    walls: Vec<Wall<'a>>,
}

#[derive(Clone, Copy)]
enum Wall<'a> {
    Kept(&'a Path),
    Hidden(&'a Path),
}

impl<'a> Lookout<'a> {
    /// How long a fallen wall may lie.
    pub(in crate::custody) const EVERY: Duration = Duration::from_millis(50);

    /// `None` where there is nothing to look out for.
    pub(in crate::custody) fn begin(confinement: &'a Confinement) -> Option<Self> {
        let kept = confinement.protected.iter().map(|path| Wall::Kept(path));
        let hidden = confinement.hidden.iter().map(|path| Wall::Hidden(path));
        let walls: Vec<Wall<'a>> = kept.chain(hidden).collect();
        let lookout = (!walls.is_empty()).then_some(Lookout { confinement, walls })?;
        // Something may have been replaced since the walls were built.
        lookout.look();
        Some(lookout)
    }

    /// Puts back what has fallen.
    pub(in crate::custody) fn look(&self) {
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
