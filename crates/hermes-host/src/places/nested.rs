//! Git repositories in the folders below a session's own: where they are. A wall around each could not be removed with the
//! folder that it stands in, so what they run is compared when a program has ended.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::OFlags;

use super::gitlinks::gitlinks;
use super::listing::Listings;
use super::locked::open_again;
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
    /// Folders that git works in with them.
    pub(super) trees: BTreeSet<PathBuf>,
    /// What leads out of the folder, and where to.
    pub(super) leads: BTreeSet<(PathBuf, PathBuf)>,
    /// Whether everything was looked into.
    pub(super) is_whole: bool,
    listings: Listings,
}

impl Nested {
    pub(super) fn below(top: &Path) -> Self {
        Nested::default().again(top, None)
    }

    /// The same later: folders that nobody has touched since are not read a second time, and those that were closed since
    /// then are opened.
    pub(super) fn again(&self, top: &Path, closed: Option<SystemTime>) -> Self {
        let mut found = Nested { is_whole: true, ..Nested::default() };
        let mut names = MOST_NAMES;
        let (mut near, mut far) = (VecDeque::from([top.to_owned()]), VecDeque::new());
        for _ in 0..MOST_LOOKS {
            let Some(folder) = near.pop_front().or_else(|| far.pop_front()) else { break };
            let entries = found.listings.list(&folder, names, &self.listings, closed);
            names -= entries.len();
            let has = |name: &str| entries.iter().any(|(entry, _)| entry == name);
            let is_own = folder == top;
            if !is_own && has("HEAD") && (has("objects") && has("refs") || has("commondir")) {
                found.add(&folder, folder.clone(), top);
                found.trees.insert(folder.clone());
            }
            for (name, is_folder) in entries.iter() {
                let path = folder.join(name);
                if !is_own && name.eq_ignore_ascii_case(GIT) {
                    found.trees.insert(folder.clone());
                }
                match (name.eq_ignore_ascii_case(GIT), is_folder) {
                    (true, true) => {
                        let _ = closed.map(|since| open_again(&path, since));
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
        if !found.is_whole {
            found.follow_links(top);
        }
        found
    }

    /// Where not everything can be looked into, at least what git itself will: the repositories that the index names, and
    /// those that theirs name.
    fn follow_links(&mut self, top: &Path) {
        let mut trees = VecDeque::from([top.to_owned()]);
        for _ in 0..MOST_LOOKS {
            let Some(tree) = trees.pop_front() else { return };
            let Some(repository) = repository_of(&tree.join(GIT)) else { continue };
            for linked in gitlinks(&repository).into_iter().map(|name| tree.join(name)) {
                let git = linked.join(GIT);
                // No other name leads there.
                if open_exact(&linked, OFlags::PATH | OFlags::DIRECTORY).is_ok()
                    && let Some(part) = repository_of(&git)
                {
                    self.add(&git, part, top);
                    self.trees.insert(linked.clone());
                    trees.push_back(linked);
                }
            }
        }
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

fn is_last(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b".") || LAST.iter().any(|last| name == *last)
}

/// What git takes for the repository of a work tree.
fn repository_of(git: &Path) -> Option<PathBuf> {
    let facts = std::fs::symlink_metadata(git).ok()?;
    if facts.is_dir() { Some(git.to_owned()) } else { led_to(git) }
}

/// Where a link or a file in the place of a repository leads.
fn led_to(git: &Path) -> Option<PathBuf> {
    let by_link = git.canonicalize().ok().filter(|folder| folder.is_dir());
    by_link.or_else(|| named_folder(git))
}
