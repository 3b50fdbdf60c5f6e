//! Files of several names, and what was found out about them lately.

use std::collections::VecDeque;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use rustix::fs::{FileType, Stat};

use super::write::other_names;

/// So many files are looked at however long it takes.
const FEW: usize = 500;
/// How long what was found is believed.
const BELIEVED: Duration = Duration::from_secs(1);
/// The kernel writes times down by a clock that ticks more slowly than ours.
const TICK: Duration = Duration::from_millis(20);

/// A file as the kernel knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Object {
    device: u64,
    inode: u64,
}

/// What says whether a file has other names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Linked {
    pub(super) object: Object,
    pub(super) names: u64,
    /// A new name changes the file too, as the kernel sees it.
    pub(super) changed: SystemTime,
}

impl Linked {
    /// `None` if it is no plain file.
    pub(super) fn of(stat: &Stat) -> Option<Self> {
        let object = Object { device: stat.st_dev, inode: stat.st_ino };
        let changed = time(stat.st_ctime, i64::try_from(stat.st_ctime_nsec).unwrap_or_default());
        let is_file = FileType::from_raw_mode(stat.st_mode).is_file();
        is_file.then(|| Linked { object, names: other_names(stat) + 1, changed })
    }

    /// What stands under a name now.
    pub(super) fn at(path: &Path) -> Option<Self> {
        path.symlink_metadata().ok().filter(Metadata::is_file).map(|meta| Linked::of_meta(&meta))
    }

    fn of_meta(meta: &Metadata) -> Self {
        let object = Object { device: meta.dev(), inode: meta.ino() };
        Linked { object, names: meta.nlink(), changed: time(meta.ctime(), meta.ctime_nsec()) }
    }
}

fn time(seconds: i64, nanoseconds: i64) -> SystemTime {
    let nanoseconds = u32::try_from(nanoseconds).unwrap_or_default();
    let since = u64::try_from(seconds).map(|seconds| Duration::new(seconds, nanoseconds));
    SystemTime::UNIX_EPOCH + since.unwrap_or_default()
}

/// What was found, and when.
#[derive(Debug)]
pub(super) struct Found<T> {
    begun: (Instant, SystemTime),
    ended: SystemTime,
    pub(super) what: Arc<T>,
}

impl<T> Found<T> {
    pub(super) fn now(look: impl FnOnce() -> T) -> Self {
        let begun = (Instant::now(), SystemTime::now());
        let what = Arc::new(look());
        Found { begun, ended: SystemTime::now(), what }
    }

    /// Whether it says all about a file that was changed at this time: it was found lately, and later.
    pub(super) fn is_good_for(&self, changed: SystemTime) -> bool {
        self.is_fresh() && changed.checked_add(TICK).is_some_and(|changed| changed < self.begun.1)
    }

    /// Whether it says all about a file that was seen in it as it is now. Whatever our clock says, another change would
    /// show, but not within one tick of the kernel's.
    pub(super) fn is_good_for_seen(&self, changed: SystemTime) -> bool {
        let after = self.ended.checked_add(TICK).is_some_and(|ended| ended < changed);
        self.is_good_for(changed) || (self.is_fresh() && after)
    }

    fn is_fresh(&self) -> bool {
        self.begun.0.elapsed() < BELIEVED
    }
}

/// How far is looked.
pub(super) struct Reach {
    files: usize,
    seen: usize,
    until: Option<Instant>,
}

impl Reach {
    pub(super) fn files(files: usize) -> Self {
        Reach { files, seen: 0, until: None }
    }

    pub(super) fn until(self, until: Instant) -> Self {
        Reach { until: Some(until), ..self }
    }

    /// How many more files may be looked at.
    fn left(&self) -> usize {
        match self.until {
            Some(until) if self.seen >= FEW && Instant::now() > until => 0,
            _ => self.files.saturating_sub(self.seen),
        }
    }
}

/// Shows every file at or below a place, the nearest first, following no links and leaving some of its folders out;
/// whether that was all of them.
pub(super) fn walk(
    place: &Path,
    depth: usize,
    but: &[&str],
    reach: &mut Reach,
    show: &mut impl FnMut(&Path, Linked),
) -> bool {
    let mut waiting = VecDeque::from([(place.to_owned(), 0)]);
    let mut is_all = true;
    while let Some((path, level)) = waiting.pop_front() {
        if reach.left() == 0 {
            return false;
        }
        reach.seen += 1;
        let Ok(meta) = path.symlink_metadata() else { continue };
        if meta.is_file() {
            show(&path, Linked::of_meta(&meta));
        } else if meta.is_dir() && level < depth && !but.iter().any(|name| path == place.join(name)) {
            let mut entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            let room = reach.left().saturating_sub(waiting.len());
            waiting.extend(entries.by_ref().take(room).map(|entry| (entry.path(), level + 1)));
            is_all &= entries.next().is_none();
        }
    }
    is_all
}
