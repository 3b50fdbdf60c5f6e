//! Small files that the kernel holds in memory, read without waiting for a disk.

use std::io::{Cursor, IoSliceMut};

use hermes_core::{CallContext, Permission};
use rustix::fs::ResolveFlags;
use rustix::io::{ReadWriteFlags, preadv2};

use super::Workspace;
use super::open::plain;
use super::read::OpenFile;
use super::source::Source;

/// A larger file takes long enough for another thread to be worth its while.
const SMALL: u64 = 64 * 1024;

impl Workspace {
    /// Opens and reads a regular file, if that takes no time: everything about it is in memory. `None` also
    /// where it may not be read; [`Workspace::open_read`] says why.
    pub fn open_cached(&self, cx: &CallContext, raw: &str) -> Option<OpenFile> {
        // Written as it is: a path that leads through a link, or up, or to a file of two names is not opened here.
        let path = plain(self.absolute(cx.cwd(), raw).ok()?);
        self.admit(cx, &path, &Permission::FILE_READ).ok()?;
        let (opened, stat) = self.open_regular(&path, ResolveFlags::CACHED).ok()?;
        let size = u64::try_from(stat.st_size).ok().filter(|size| *size <= SMALL)?;
        let mut content = self.spare.room(usize::try_from(size).ok()?);
        let length =
            preadv2(&opened, &mut [IoSliceMut::new(&mut content)], 0, ReadWriteFlags::NOWAIT).ok()?;
        (length == content.len()).then(|| {
            let source = Source::Fetched(Cursor::new(content));
            let file = OpenFile::new(source, path, &stat, (cx, self.eyes(cx.session(), None)));
            file.sparing(self.spare.clone())
        })
    }
}
