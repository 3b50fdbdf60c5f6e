//! What the calls of one run touch together, found by path: a batch of thousands is planned in one pass.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};

#[derive(Debug, Default)]
pub(super) struct Occupied<'a> {
    reads: BTreeSet<&'a Path>,
    writes: BTreeSet<&'a Path>,
}

impl<'a> Occupied<'a> {
    /// Whether a call with this footprint must wait for one of those that are here.
    pub(super) fn conflicts_with(&self, reads: &[PathBuf], writes: &[PathBuf]) -> bool {
        writes.iter().any(|path| overlaps(&self.writes, path) || overlaps(&self.reads, path))
            || reads.iter().any(|path| overlaps(&self.writes, path))
    }

    pub(super) fn add(&mut self, reads: &'a [PathBuf], writes: &'a [PathBuf]) {
        self.reads.extend(reads.iter().map(PathBuf::as_path));
        self.writes.extend(writes.iter().map(PathBuf::as_path));
    }
}

/// Whether any of the paths lies at, above or beneath this one. Paths are ordered by their components, so those
/// beneath one follow it directly.
fn overlaps(paths: &BTreeSet<&Path>, path: &Path) -> bool {
    let from = (Bound::Included(path), Bound::Unbounded);
    paths.range::<Path, _>(from).next().is_some_and(|next| next.starts_with(path))
        || path.ancestors().any(|above| paths.contains(above))
}
