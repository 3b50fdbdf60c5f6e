//! What is watched: files with the way to them, and folders with everything in them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::trail::trail;

/// What is watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    folders: BTreeMap<PathBuf, Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Everything,
    Names(BTreeSet<OsString>),
}

impl Watched {
    /// This file, and every name on the way to it, so that an exchanged folder or link shows.
    pub fn file(&mut self, path: &Path) {
        for (folder, name) in trail(path) {
            if let Part::Names(names) =
                self.folders.entry(folder).or_insert_with(|| Part::Names(BTreeSet::new()))
            {
                names.insert(name);
            }
        }
    }

    /// Everything right in this folder, and the way to it.
    pub fn folder(&mut self, path: &Path) {
        self.file(path);
        self.folders.insert(path.to_owned(), Part::Everything);
    }

    pub(crate) fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        self.folders.keys()
    }

    /// Whether something that happened to a name in a folder, or without a name to the folder itself, matters.
    pub(crate) fn concerns(&self, folder: &Path, name: Option<&OsStr>) -> bool {
        match (self.folders.get(folder), name) {
            (None, _) => false,
            (Some(_), None) | (Some(Part::Everything), _) => true,
            (Some(Part::Names(names)), Some(name)) => {
                names.contains(name) || self.folders.contains_key(&folder.join(name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_asked_about_is_not_told() {
        let mut watched = Watched::default();
        watched.file(Path::new("/nowhere/project/tools.yaml"));
        watched.folder(Path::new("/nowhere/plugins/p"));
        for (folder, name, told) in [
            ("/nowhere/project", Some("tools.yaml"), true),
            ("/nowhere/project", Some("build.log"), false),
            ("/nowhere/project", None, true),
            ("/nowhere", Some("project"), true),
            ("/nowhere", Some("other"), false),
            ("/nowhere/plugins/p", Some("anything"), true),
            ("/nowhere/plugins", Some("q"), false),
            ("/elsewhere", None, false),
        ] {
            let name = name.map(OsStr::new);
            assert_eq!(watched.concerns(Path::new(folder), name), told, "{folder} {name:?}");
        }
    }
}
