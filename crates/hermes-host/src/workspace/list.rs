//! Listing folders by handle, without following links.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use hermes_core::{CallContext, Permission, ToolError};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat, statat};

use super::Workspace;
use super::errors::{cancelled, explain, not_a_folder};
use super::ignored::IgnoreRules;
use super::open::open_exact;
use super::walk::reason;

/// A listing that would be longer stops here and says so.
const MAX_ENTRIES: usize = 200_000;

#[derive(Clone, Copy, Debug)]
pub struct ListOptions {
    /// 1 lists the folder itself, 2 its sub-folders too, and so on.
    pub depth: usize,
    pub hidden: bool,
    /// Leave out what `.gitignore` files in the listed folders name.
    pub ignore: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    Folder,
    File,
    Link,
    Special,
}

/// One thing in a listed folder.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Relative to the listed folder.
    pub path: PathBuf,
    pub kind: EntryKind,
    pub size: u64,
    /// Seconds since the epoch.
    pub modified: i64,
    /// Permission bits.
    pub mode: u32,
    /// Where a symbolic link points, as written in it.
    pub target: Option<PathBuf>,
}

/// What could not be looked at, or not all of it.
#[derive(Clone, Debug)]
pub struct Unreadable {
    pub path: PathBuf,
    pub reason: String,
}

#[derive(Clone, Debug, Default)]
pub struct Listing {
    pub entries: Vec<Entry>,
    pub unreadable: Vec<Unreadable>,
    /// Whether there was more than one listing may hold.
    pub cut: bool,
}

impl Workspace {
    /// Lists a folder, in no particular order.
    pub fn list(&self, cx: &CallContext, raw: &str, options: ListOptions) -> Result<Listing, ToolError> {
        let root = self.judge(cx, raw, &Permission::FILE_READ)?;
        let folder = open_exact(&root, OFlags::RDONLY | OFlags::DIRECTORY).map_err(|errno| match errno {
            rustix::io::Errno::NOTDIR => not_a_folder(&root, is_file(&root)),
            errno => explain("list", &root, errno),
        })?;
        let mut walk = Walk { workspace: self, cx, root, options, listing: Listing::default() };
        walk.folder(folder, Path::new(""), 1, &IgnoreRules::default())?;
        Ok(walk.listing)
    }
}

fn is_file(path: &Path) -> bool {
    let stat = open_exact(path, OFlags::PATH).and_then(fstat);
    stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile)
}

struct Walk<'a> {
    workspace: &'a Workspace,
    cx: &'a CallContext,
    root: PathBuf,
    options: ListOptions,
    listing: Listing,
}

impl Walk<'_> {
    fn folder(
        &mut self,
        folder: OwnedFd,
        path: &Path,
        depth: usize,
        above: &IgnoreRules,
    ) -> Result<(), ToolError> {
        let rules =
            if self.options.ignore { above.within(&folder, &self.root.join(path)) } else { above.clone() };
        let mut names = match Dir::read_from(&folder) {
            Ok(names) => names,
            Err(errno) => return self.skip(path, errno),
        };
        while let Some(entry) = names.read() {
            if self.cx.cancel().is_cancelled() {
                return Err(cancelled());
            }
            let name = match entry {
                Ok(entry) => OsString::from_vec(entry.file_name().to_bytes().to_vec()),
                Err(errno) => return self.skip(path, errno),
            };
            if name == "." || name == ".." || (!self.options.hidden && name.as_bytes().starts_with(b".")) {
                continue;
            }
            let stat = match statat(&folder, name.as_os_str(), AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => stat,
                // Whatever vanished since the folder was read is simply not there.
                Err(rustix::io::Errno::NOENT) => continue,
                Err(errno) => {
                    self.skip(&path.join(&name), errno)?;
                    continue;
                }
            };
            let entry = entry_of(&folder, &name, path, &stat);
            let is_folder = entry.kind == EntryKind::Folder;
            if self.options.ignore && rules.ignore(&self.root.join(&entry.path), is_folder) {
                continue;
            }
            if self.listing.entries.len() >= MAX_ENTRIES {
                self.listing.cut = true;
                return Ok(());
            }
            let below = entry.path.clone();
            self.listing.entries.push(entry);
            if is_folder && depth < self.options.depth {
                self.descend(&folder, &name, &below, depth + 1, &rules)?;
            }
        }
        Ok(())
    }

    fn descend(
        &mut self,
        folder: &OwnedFd,
        name: &OsStr,
        path: &Path,
        depth: usize,
        rules: &IgnoreRules,
    ) -> Result<(), ToolError> {
        if self.workspace.is_closed(&self.root.join(path), true) {
            return self.skip(path, rustix::io::Errno::ACCESS);
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(folder, name, flags, Mode::empty()) {
            Ok(inner) => self.folder(inner, path, depth, rules),
            Err(errno) => self.skip(path, errno),
        }
    }

    /// One unreadable folder does not spoil the rest.
    fn skip(&mut self, path: &Path, errno: rustix::io::Errno) -> Result<(), ToolError> {
        self.listing.unreadable.push(Unreadable { path: path.to_owned(), reason: reason(errno) });
        Ok(())
    }
}

fn entry_of(folder: impl AsFd, name: &OsStr, parent: &Path, stat: &Stat) -> Entry {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => EntryKind::Folder,
        FileType::RegularFile => EntryKind::File,
        FileType::Symlink => EntryKind::Link,
        _ => EntryKind::Special,
    };
    let target = (kind == EntryKind::Link)
        .then(|| readlinkat(folder, name, Vec::new()).ok())
        .flatten()
        .map(|target| PathBuf::from(OsString::from_vec(target.into_bytes())));
    Entry {
        path: parent.join(name),
        kind,
        size: u64::try_from(stat.st_size).unwrap_or(0),
        modified: stat.st_mtime,
        mode: stat.st_mode & 0o7777,
        target,
    }
}
