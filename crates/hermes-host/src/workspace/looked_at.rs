//! The file that was looked at last. Policy is told what a path names, and right after that the file is opened: one look
//! serves for both.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::fs::Stat;

/// So long ago still counts as just now: longer than it takes to judge a call, shorter than anybody can notice.
const JUST_NOW: Duration = Duration::from_millis(1);

/// A look at a path that leads through no link.
#[derive(Clone, Debug, Default)]
pub(super) struct LookedAt(Arc<Mutex<Option<Look>>>);

#[derive(Debug)]
struct Look {
    when: Instant,
    path: PathBuf,
    seen: Stat,
}

impl LookedAt {
    pub(super) fn remember(&self, path: &Path, seen: Stat) {
        let look = Look { when: Instant::now(), path: path.to_owned(), seen };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(look);
    }

    /// What stood there a moment ago.
    pub(super) fn lately(&self, path: &Path) -> Option<Stat> {
        let look = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        look.as_ref().filter(|look| look.is_of(path)).map(|look| look.seen)
    }

    /// What stood there a moment ago, for whoever looks again at what he then opens.
    pub(super) fn just_now(&self, path: &Path) -> Option<Stat> {
        let look = self.0.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        look.is_of(path).then_some(look.seen)
    }
}

impl Look {
    fn is_of(&self, path: &Path) -> bool {
        self.path.as_os_str() == path.as_os_str() && self.when.elapsed() < JUST_NOW
    }
}
