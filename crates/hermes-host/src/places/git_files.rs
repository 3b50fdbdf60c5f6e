//! The files of a repository that say what git runs, and what these lead to.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::led::led_to;
use super::listing::listed;

pub(super) const COMMONDIR: &str = "commondir";
pub(super) const SETTINGS: &[&str] = &["config", "config.worktree"];
pub(super) const HOOKS: &str = "hooks";
/// Of more of them it is only known whether any came.
pub(super) const MOST_HOOKS: usize = 1_000;
/// How far below the hooks of a repository links are looked for.
const DEPTH: usize = 1;

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

/// What their links lead to, as far as that counts.
pub(super) fn ends<'r>(
    repositories: impl Iterator<Item = &'r PathBuf>,
    counts: impl Fn(&Path) -> bool,
) -> BTreeSet<PathBuf> {
    let names = || SETTINGS.iter().chain([&COMMONDIR, &HOOKS]);
    led_to(repositories.flat_map(|folder| names().map(|name| (folder.join(name), DEPTH))), counts)
}
