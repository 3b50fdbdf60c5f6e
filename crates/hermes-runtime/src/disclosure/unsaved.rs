//! When vectors are worth a file: often enough that a process that is ended loses little, seldom enough that
//! writing costs little.

use std::sync::atomic::{AtomicUsize, Ordering};

/// New vectors that are kept at once.
const ENOUGH: usize = 64;
/// The same as a share of all: a file is written whole.
const SHARE: usize = 8;

/// How many vectors no file has yet.
#[derive(Debug, Default)]
pub(super) struct Unsaved(AtomicUsize);

impl Unsaved {
    /// Whether there are enough now, `all` being those that the file would have.
    pub(super) fn add(&self, count: usize, all: usize) -> bool {
        let unsaved = self.0.fetch_add(count, Ordering::AcqRel) + count;
        unsaved >= ENOUGH.max(all / SHARE)
    }

    /// Whether there are any; from now on there are none.
    pub(super) fn take(&self) -> bool {
        self.0.swap(0, Ordering::AcqRel) > 0
    }
}
