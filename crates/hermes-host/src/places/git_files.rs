//! The files of a repository that say what git runs, and what these lead to.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::led::{Folders, Leading, led_to};
use super::listing::listed;
use crate::workspace::open_exact;

pub(super) const COMMONDIR: &str = "commondir";
pub(super) const SETTINGS: &[&str] = &["config", "config.worktree"];
pub(super) const HOOKS: &str = "hooks";
/// Of more of them it is only known whether any came.
pub(super) const MOST_HOOKS: usize = 1_000;
/// For each repository by itself, so that many harmless ones use nothing up.
const MOST_LINKS: usize = 200;

/// What is there of the files that say what git runs.
pub(super) fn files(repository: &Path) -> Vec<PathBuf> {
    let named = SETTINGS.iter().chain([&COMMONDIR]).map(|name| repository.join(name));
    let folder = repository.join(HOOKS);
    let mut hooks: Vec<PathBuf> =
        listed(&folder, MOST_HOOKS).into_iter().map(|(name, _)| folder.join(name)).collect();
    let is_folder = fs::symlink_metadata(&folder).is_ok_and(|facts| facts.is_dir());
    if !is_folder || hooks.len() == MOST_HOOKS {
        hooks = vec![folder];
    }
    let hooks = hooks.into_iter().filter(|hook| hook.extension().is_none_or(|end| end != "sample"));
    named.chain(hooks).collect()
}

/// What links among these files of repositories lead to, as far as that counts. Second: files of repositories with more
/// links than are followed.
pub(super) fn ends(
    repositories: &[(PathBuf, Vec<PathBuf>)],
    counts: impl Fn(&Path) -> bool,
) -> (BTreeSet<PathBuf>, BTreeSet<PathBuf>) {
    let (mut ends, mut full) = (BTreeSet::new(), BTreeSet::new());
    for (folder, files) in repositories {
        let is_exact = open_exact(folder, OFlags::PATH | OFlags::DIRECTORY).is_ok();
        let is_hooks = |path: &Path| path.parent() == Some(folder) && path.ends_with(HOOKS);
        let may_lead = |path: &Path| {
            !is_exact || fs::symlink_metadata(path).is_ok_and(|facts| facts.is_symlink() || is_hooks(path))
        };
        let mut leads = files.iter().filter(|path| may_lead(path));
        let mut is_whole = true;
        for path in leads.by_ref().take(MOST_LINKS) {
            // What lies in a folder that a hook leads to is looked at with that.
            let depth = usize::from(is_hooks(path));
            let from = Leading { place: path.clone(), depth, folders: Folders::All, most: MOST_LINKS };
            let (found, is_all) = led_to(&from, &counts);
            ends.extend(found);
            is_whole &= is_all;
        }
        if !is_whole || leads.next().is_some() {
            full.extend(files.iter().cloned());
        }
    }
    (ends, full)
}
