//! What stays as it is in the session's folder although that may be written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::ends::is_only_secret;
use super::scene::{Scene, around, entries};
use crate::places::{Repository, named_by_settings};

/// Places in the session's folder that make other programs run something later, held even while they are not there;
/// what git runs is told by [`Repository`].
pub(super) const PROTECTED: &[&str] = &[".hermes"];

/// Folders of the home folder that are opened one by one.
const MOST_OPENED: usize = 32;

/// Places to be laid one above the other.
#[derive(Default)]
pub(super) struct Kept {
    /// In protected places, or holding such.
    pub(super) open: Vec<PathBuf>,
    pub(super) protected: Vec<PathBuf>,
}

/// Whether it is read and not run, and is but a name of what commands write: the wall would be around that.
fn is_link_of_secrets(scene: &Scene<'_>, entry: &Path) -> bool {
    let is_free = |end: PathBuf| end.starts_with(&scene.own) && scene.may_write(&end);
    entry.is_symlink() && is_only_secret(scene, entry) && entry.canonicalize().is_ok_and(is_free)
}

impl Kept {
    /// `writable` are the folders that commands may write in.
    pub(super) fn of(scene: &Scene<'_>, writable: &[PathBuf]) -> Self {
        let mut kept = Kept::default();
        let always = PROTECTED.iter().map(|name| scene.own.join(name));
        kept.protected.extend(always.filter(|path| scene.stays(path)));
        if Repository::is_bare_at(&scene.own) {
            kept.keep_repository(scene, Repository::at(&scene.own, &scene.own));
        }
        let is_top = |path: &&PathBuf| path.parent() == Some(&scene.own);
        for inner in scene.mine.iter().filter(|path| !is_top(path)) {
            // What git keeps is looked at with its repository.
            let is_gits = inner.iter().any(|name| name == ".git");
            let is_free = scene.may_write(inner) || is_link_of_secrets(scene, inner);
            if !is_gits && !is_free && scene.stays(inner) {
                kept.protect(scene, inner);
            }
        }
        // What the rules keep by its name is looked at with that.
        let named = scene.named_for_git.iter().filter(|place| !scene.own.starts_with(place));
        let named = named.filter(|place| scene.may_write(place) && scene.stays(place));
        for place in named.filter(|place| std::fs::symlink_metadata(place).is_ok()) {
            kept.protect(scene, place);
        }
        let of_home = scene.home.starts_with(&scene.own) && scene.home != scene.own;
        let of_home = of_home.then(|| entries(&scene.home)).into_iter().flatten();
        let top = scene.mine.iter().filter(is_top).cloned().chain(entries(&scene.own)).chain(of_home);
        let top: BTreeSet<PathBuf> = top.collect();
        let stays = |entry: &&PathBuf| !scene.may_write(entry) && !scene.agreed.gives_up(entry);
        for entry in top.iter().filter(stays).filter(|entry| !is_link_of_secrets(scene, entry)) {
            kept.keep_entry(scene, entry, writable);
        }
        kept
    }

    /// The home folder where it lies in a folder for temporary files: nothing new comes to be in it, and of what is there
    /// only what the rules open can be written.
    pub(super) fn keep_home(&mut self, scene: &Scene<'_>, writable: &[PathBuf]) {
        let home = &scene.home;
        let is_open = scene.opened.iter().any(|opened| home.starts_with(opened));
        let is_within = writable.iter().any(|folder| home.starts_with(folder) && folder != home);
        if is_open || home.starts_with(&scene.own) || !home.is_dir() {
            return;
        }
        if !is_within {
            // It may be that folder itself.
            let kept = entries(home).into_iter().filter(|_| writable.contains(home));
            let kept = kept.filter(|entry| !scene.may_write(entry) && scene.stays(entry));
            return kept.for_each(|entry| self.protect(scene, &entry));
        }
        let is_folder = |path: &PathBuf| std::fs::symlink_metadata(path).is_ok_and(|facts| facts.is_dir());
        let open = entries(home).into_iter().filter(is_folder).filter(|entry| scene.may_write(entry));
        self.open.extend(open.take(MOST_OPENED));
        self.protect(scene, home);
    }

    /// The repositories that the session's folder, or many others, may lie in.
    pub(super) fn keep_around(&mut self, scene: &Scene<'_>, writable: &[PathBuf]) {
        for folder in around(scene, writable) {
            let git = folder.join(".git");
            if Repository::is_bare_at(&folder) {
                self.keep_repository(scene, Repository::at(&folder, &scene.own));
            } else if Repository::is_at(&git) {
                self.keep_repository(scene, Repository::at(&git, &scene.own));
            } else if git.symlink_metadata().is_ok() && scene.stays(&git) {
                self.protect(scene, &git);
                self.keep_repository(scene, Repository::named_by(&git, writable));
            } else {
                continue;
            }
            let named =
                named_by_settings(&folder, std::slice::from_ref(&folder), Some(scene.ground.user_home))
                    .into_iter();
            // What lies in the session's folder is named for it too; what it lies in itself is no place for a wall.
            let named =
                named.filter(|place| !scene.own.starts_with(place) && place.symlink_metadata().is_ok());
            named
                .filter(|place| scene.may_write(place) && scene.stays(place))
                .for_each(|place| self.protect(scene, &place));
        }
    }

    fn keep_entry(&mut self, scene: &Scene<'_>, entry: &Path, writable: &[PathBuf]) {
        let is_open = scene.opened.iter().any(|opened| opened == entry);
        if !is_open && scene.is_denied_to_writers(entry) {
            self.protect(scene, entry);
        } else if Repository::is_at(entry) {
            self.keep_repository(scene, Repository::at(entry, &scene.own));
        } else if scene.stays(entry) {
            self.protect(scene, entry);
            // It may name a repository elsewhere, where commands write too.
            self.keep_repository(scene, Repository::named_by(entry, writable));
        }
    }

    fn keep_repository(&mut self, scene: &Scene<'_>, repository: Repository) {
        self.open.extend(repository.folders);
        self.protected.extend(repository.protected.into_iter().filter(|path| scene.stays(path)));
    }

    /// Single files in it that somebody agreed to are placed above it.
    fn protect(&mut self, scene: &Scene<'_>, place: &Path) {
        self.open.extend(scene.agreed.written.iter().filter(|path| path.starts_with(place)).cloned());
        self.protected.push(place.to_owned());
    }
}
