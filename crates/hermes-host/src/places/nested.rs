//! Git repositories in the folders below a session's own: where they are. A wall around each could not be removed with the
//! folder that it stands in, so what they run is compared when a program has ended.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, DirEntry, FileType, OFlags, statat};

use super::repository::named_folder;
use crate::spot::read_short;
use crate::workspace::open_exact;

/// Folders that are looked into and names that are read, the nearest first: this is on the way of every command.
const MOST_LOOKS: usize = 500;
const MOST_NAMES: usize = 20_000;
/// A file that says where the rest of a repository is, is shorter.
const LONGEST_WAY: u64 = 16 * 1024;
/// Full of folders that nobody works in; these and hidden ones are looked into last.
const LAST: &[&str] =
    &["logs", "node_modules", "objects", "refs", "site-packages", "target", "vendor", "venv"];
const GIT: &str = ".git";
/// Parts of a repository that are some themselves.
const PARTS: &[&str] = &["modules", "worktrees"];

/// What git would work with below a folder, but not the folder's own.
#[derive(Debug, Default)]
pub(super) struct Nested {
    /// Folders that git takes for a repository: by their name, by what is in them, or because something leads there.
    pub(super) repositories: BTreeSet<PathBuf>,
    /// What leads out of the folder, and where to.
    pub(super) leads: BTreeSet<(PathBuf, PathBuf)>,
    /// Whether everything was looked into.
    pub(super) is_whole: bool,
}

impl Nested {
    pub(super) fn below(top: &Path) -> Self {
        let mut found = Nested { is_whole: true, ..Nested::default() };
        let mut names = MOST_NAMES;
        let (mut near, mut far) = (VecDeque::from([top.to_owned()]), VecDeque::new());
        for _ in 0..MOST_LOOKS {
            let Some(folder) = near.pop_front().or_else(|| far.pop_front()) else { break };
            let entries = listed(&folder, names);
            names -= entries.len();
            let has = |name: &str| entries.iter().any(|(entry, _)| entry == name);
            let is_own = folder == top;
            if !is_own && has("HEAD") && (has("objects") && has("refs") || has("commondir")) {
                found.add(&folder, folder.clone(), top);
            }
            for (name, is_folder) in &entries {
                let path = folder.join(name);
                match (name.eq_ignore_ascii_case(GIT), is_folder) {
                    (true, true) => {
                        PARTS.iter().for_each(|part| near.push_front(path.join(part)));
                        found.add(&path, path.clone(), top);
                    }
                    (true, false) => {
                        if let Some(part) = led_to(&path) {
                            found.add(&path, part, top);
                        }
                    }
                    (false, true) if is_last(name) => far.push_back(path),
                    (false, true) => near.push_back(path),
                    (false, false) => {}
                }
            }
        }
        found.is_whole = near.is_empty() && far.is_empty() && names > 0;
        found
    }

    /// Such a part may say where the rest of the repository is, which git then reads there.
    fn add(&mut self, lead: &Path, part: PathBuf, top: &Path) {
        let commondir = part.join("commondir");
        let lead = if part.starts_with(top) { &commondir } else { lead };
        let rest = read_short(&commondir, LONGEST_WAY).ok();
        let rest = rest.map(|(bytes, _)| part.join(OsStr::from_bytes(bytes.trim_ascii_end())));
        let rest = rest.and_then(|rest| rest.canonicalize().ok());
        for folder in std::iter::once(part).chain(rest) {
            if !folder.starts_with(top) {
                self.leads.insert((lead.to_owned(), folder));
            } else if folder != top && folder != top.join(GIT) {
                self.repositories.insert(folder);
            }
        }
    }
}

/// The names in a folder in their order, and which are folders. It may have become a link meanwhile, which is not followed.
pub(super) fn listed(folder: &Path, most: usize) -> Vec<(OsString, bool)> {
    let Ok(opened) = open_exact(folder, OFlags::RDONLY | OFlags::DIRECTORY) else { return Vec::new() };
    let is_folder = |entry: &DirEntry| match entry.file_type() {
        FileType::Unknown => statat(&opened, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|facts| FileType::from_raw_mode(facts.st_mode).is_dir()),
        kind => kind.is_dir(),
    };
    let entries = Dir::read_from(&opened).into_iter().flatten().flatten();
    let named =
        entries.map(|entry| (OsStr::from_bytes(entry.file_name().to_bytes()).to_owned(), is_folder(&entry)));
    let mut all: Vec<_> = named.filter(|(name, _)| name != "." && name != "..").take(most).collect();
    all.sort();
    all
}

fn is_last(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b".") || LAST.iter().any(|last| name == *last)
}

/// Where a link or a file in the place of a repository leads.
fn led_to(git: &Path) -> Option<PathBuf> {
    let by_link = git.canonicalize().ok().filter(|folder| folder.is_dir());
    by_link.or_else(|| named_folder(git))
}
