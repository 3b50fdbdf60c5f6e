//! What the kernel tells of folders: names that come, go, are written or change whose they are. It is not asked for every
//! single write: who keeps a file open and writes to it all the time, as a database does, would wake whoever watches the
//! folder at each of them, and a file that is being written is not read before it is closed.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::inotify::{self, CreateFlags, Event, ReadFlags, Reader, WatchFlags};
use rustix::io::Errno;
use tokio::io::unix::AsyncFd;
use tokio::runtime::Handle;

const TOLD: WatchFlags = WatchFlags::ATTRIB
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVED_FROM)
    .union(WatchFlags::MOVED_TO)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR);

/// Events that are read at once; one has at most a name of 255 bytes.
const BUFFER: usize = 4 * 1024;

/// The queue of one watcher. It is read by the task that waits for it: no thread waits beside it.
pub(crate) struct Events {
    queue: AsyncFd<OwnedFd>,
    /// What is watched under each number. Several paths may lead to one folder.
    folders: BTreeMap<i32, BTreeSet<PathBuf>>,
    /// How many there were.
    #[cfg(test)]
    pub(crate) heard: usize,
}

impl Events {
    pub(crate) fn new() -> io::Result<Self> {
        Handle::try_current().map_err(io::Error::other)?;
        let queue = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        // Deprecated, since not all that names a descriptor keeps it open. Who owns it does.
        #[allow(deprecated)]
        let queue = AsyncFd::new(queue)?;
        Ok(Events {
            queue,
            folders: BTreeMap::new(),
            #[cfg(test)]
            heard: 0,
        })
    }

    /// Whether it is watched from now on.
    pub(crate) fn watch(&mut self, folder: &Path) -> bool {
        let number = inotify::add_watch(self.queue.get_ref(), folder, TOLD);
        number.is_ok_and(|number| self.folders.entry(number).or_default().insert(folder.to_owned()))
    }

    pub(crate) fn unwatch(&mut self, folder: &Path) {
        let queue = self.queue.get_ref();
        self.folders.retain(|number, paths| {
            if paths.remove(folder) && paths.is_empty() {
                // A folder that is gone is watched no more already.
                let _ = inotify::remove_watch(queue, *number);
            }
            !paths.is_empty()
        });
    }

    /// Waits until something is told that concerns somebody; with it all is taken that is told by then.
    pub(crate) async fn until(&mut self, concerns: impl Fn(&Path, Option<&OsStr>) -> bool) -> io::Result<()> {
        loop {
            let mut ready = self.queue.readable().await?;
            // Before it is read: what is told meanwhile is seen in the next round.
            ready.clear_ready();
            drop(ready);
            if self.take(&concerns)? {
                return Ok(());
            }
        }
    }

    /// Takes what has been told, and says whether any of it concerns somebody.
    pub(crate) fn take(&mut self, concerns: impl Fn(&Path, Option<&OsStr>) -> bool) -> io::Result<bool> {
        let mut buffer = [MaybeUninit::uninit(); BUFFER];
        let mut reader = Reader::new(self.queue.get_ref(), &mut buffer);
        let mut found = false;
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::INTR) => continue,
                Err(Errno::WOULDBLOCK) => return Ok(found),
                Err(error) => return Err(error.into()),
            };
            #[cfg(test)]
            {
                self.heard += 1;
            }
            found = found || matters(&event, &self.folders, &concerns);
            if event.events().contains(ReadFlags::IGNORED) {
                self.folders.remove(&event.wd());
            }
        }
    }
}

fn matters(
    event: &Event<'_>,
    folders: &BTreeMap<i32, BTreeSet<PathBuf>>,
    concerns: &impl Fn(&Path, Option<&OsStr>) -> bool,
) -> bool {
    // Others were lost.
    if event.events().contains(ReadFlags::QUEUE_OVERFLOW) {
        return true;
    }
    let name = event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()));
    folders.get(&event.wd()).is_some_and(|paths| paths.iter().any(|path| concerns(path, name)))
}
