//! Folders with single hidden files in them, such as the home folder with its `.netrc`. Something placed above such a
//! file falls when the file is replaced outside, so where that can be it is the folder that is hidden, and what else was
//! in it is shown.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, FileType};
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::mount_calls::{Depth, picked, place};
use crate::process::Confinement;

/// To show more takes longer than many a command.
const MOST_SHOWN: usize = 100;
/// Programs need what is new there, such as the addresses of name servers. What else is in it is the machine's own: it is
/// replaced once in a while by whoever looks after that, and to show all that is around it again takes longer than most
/// commands. The lookout is enough.
const SHARED: &str = "/etc";

/// What is at the hidden places, and the hidden folders of which something is shown.
pub(super) struct Veils {
    /// Of those where something is.
    pub(super) kinds: BTreeMap<PathBuf, FileType>,
    /// Those that lie around single hidden files.
    pub(super) around_files: BTreeMap<PathBuf, Vec<PathBuf>>,
    /// Those that are hidden themselves.
    pub(super) with_something_shown: BTreeMap<PathBuf, Vec<PathBuf>>,
}

impl Veils {
    pub(super) fn of(confinement: &Confinement) -> Self {
        let mut with_something_shown: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        for shown in &confinement.shown {
            let folder = shown.parent().filter(|folder| confinement.hidden.iter().any(|path| path == folder));
            if let Some(folder) = folder {
                with_something_shown.entry(folder.to_owned()).or_default().push(shown.clone());
            }
        }
        let kind = |path: &PathBuf| Some((path.clone(), fs::symlink_metadata(path).ok()?.file_type()));
        let kinds = confinement.hidden.iter().filter_map(kind).collect();
        Veils { around_files: veiled(confinement, &kinds), with_something_shown, kinds }
    }

    pub(super) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.around_files.keys().chain(self.with_something_shown.keys()).map(PathBuf::as_path)
    }
}

/// Such folders from the outside in, each with what is shown of it. Those that commands write in are left out, since
/// what is made there must be there afterwards; so are full ones.
fn veiled(confinement: &Confinement, kinds: &BTreeMap<PathBuf, FileType>) -> BTreeMap<PathBuf, Vec<PathBuf>> {
    let is_file = |path: &&PathBuf| kinds.get(*path).is_some_and(FileType::is_file);
    let hidden: BTreeSet<&PathBuf> = confinement.hidden.iter().filter(is_file).collect();
    let is_written = |folder: &&Path| confinement.writable.iter().any(|open| folder.starts_with(open));
    let is_shared = |folder: &&Path| folder.starts_with(SHARED) || *folder == Path::new("/");
    let folders: BTreeSet<&Path> = hidden.iter().filter_map(|path| path.parent()).collect();
    let shown = |folder: &Path| {
        let entries = fs::read_dir(folder).ok()?.take(MOST_SHOWN + hidden.len() + 1).flatten();
        let shown: Vec<PathBuf> =
            entries.map(|entry| entry.path()).filter(|path| !hidden.contains(path)).collect();
        (shown.len() <= MOST_SHOWN).then(|| (folder.to_owned(), shown))
    };
    folders.into_iter().filter(|folder| !is_written(folder) && !is_shared(folder)).filter_map(shown).collect()
}

/// Something that is shown in a folder that is hidden otherwise.
pub(super) enum Shown {
    Folder(OwnedFd),
    File(OwnedFd),
    Link(PathBuf),
}

impl Shown {
    /// `None` if it is gone or cannot be picked up.
    pub(super) fn pick(path: &Path) -> Option<Self> {
        let facts = fs::symlink_metadata(path).ok()?;
        if facts.is_symlink() {
            return fs::read_link(path).ok().map(Shown::Link);
        }
        let tree = picked(path, Depth::Whole).ok()?;
        Some(if facts.is_dir() { Shown::Folder(tree) } else { Shown::File(tree) })
    }

    /// What cannot be laid out is not seen.
    pub(super) fn lay_out(&self, path: &Path) {
        let _ = match self {
            Shown::Folder(tree) => fs::create_dir(path).is_ok() && place(tree, path).is_ok(),
            Shown::File(tree) => fs::write(path, "").is_ok() && place(tree, path).is_ok(),
            Shown::Link(end) => symlink(end, path).is_ok(),
        };
    }
}
