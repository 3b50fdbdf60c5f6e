//! Hard links to guarded files. A second name of a file says nothing about the first, so no rule about paths would
//! know it; here the name that rules speak of is found by the object.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::linked::{Found, Linked, Object, Reach, walk};
use super::names_inside::{Inside, NamesInside};

/// Where the person keeps keys and credentials, below the home folder.
const KEPT_AT_HOME: &[&str] = &[
    ".aws",
    ".azure",
    ".config/gcloud",
    ".config/gh",
    ".docker/config.json",
    ".git-credentials",
    ".gnupg",
    ".kube",
    ".netrc",
    ".npmrc",
    ".password-store",
    ".pgpass",
    ".pypirc",
    ".ssh",
];
/// Stores of Hermes's own that are large and named by their content: nobody asks for a file in them by its name.
const BULK: &[&str] = &["cache", "results", "undo"];
/// Deeper folders are not looked at, nor more files.
const MAX_DEPTH: usize = 4;
const MAX_FILES: usize = 20_000;

/// The guarded files that have more than one name, by what they are. Usually there is none.
#[derive(Clone, Debug)]
pub(crate) struct SecondNames {
    guarded: Arc<[PathBuf]>,
    found: Arc<Mutex<Option<Found<Known>>>>,
    inside: NamesInside,
}

/// What was found; all paths are free of links.
#[derive(Debug, Default)]
struct Known {
    places: Vec<PathBuf>,
    files: HashMap<Object, PathBuf>,
}

impl Known {
    /// The name by which the file at `path` is guarded, if that is another one.
    fn first_name(&self, path: &Path, object: Object) -> Option<PathBuf> {
        let first = self.files.get(&object)?;
        (!self.places.iter().any(|place| path.starts_with(place))).then(|| first.clone())
    }
}

impl SecondNames {
    pub(crate) fn of(user_home: &Path, hermes_home: &Path) -> Self {
        let at_home = KEPT_AT_HOME.iter().map(|name| user_home.join(name));
        SecondNames::to(std::iter::once(hermes_home.to_owned()).chain(at_home).collect())
    }

    /// Of these files, and of those in these folders.
    pub(crate) fn to(guarded: Vec<PathBuf>) -> Self {
        SecondNames { guarded: guarded.into(), found: Arc::default(), inside: NamesInside::default() }
    }

    /// The name by which a file is guarded, if `path`, which is free of links, is another of its names.
    pub(super) fn first_name(&self, path: &Path, file: Linked) -> Option<PathBuf> {
        (file.names > 1).then(|| self.known(file.changed).first_name(path, file.object))?
    }

    /// Its other names, as far as they are known where the work is done in this folder.
    pub(super) fn others(&self, path: &Path, file: Linked, folder: &Path) -> Vec<PathBuf> {
        let around = self.around(path, file, folder);
        let names = around.iter().flat_map(|(_, inside)| inside.names(file.object));
        let mut names: Vec<PathBuf> = names.filter(|name| name.as_path() != path).cloned().collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The folders where its other names may be, each with what is in it; none if it has no others.
    pub(super) fn around(&self, path: &Path, file: Linked, folder: &Path) -> Vec<(PathBuf, Arc<Inside>)> {
        if file.names < 2 {
            return Vec::new();
        }
        self.inside.around(path, file, folder)
    }

    /// Second names of guarded files below these folders, each with the first one.
    pub(crate) fn below(&self, folders: &[PathBuf]) -> Vec<(PathBuf, PathBuf)> {
        let known = self.known(SystemTime::UNIX_EPOCH);
        let mut found = Vec::new();
        if known.files.is_empty() {
            return found;
        }
        for folder in folders {
            walk(folder, usize::MAX, &[], &mut Reach::files(MAX_FILES), &mut |path, file| {
                let first = known.first_name(path, file.object);
                found.extend(first.map(|first| (path.to_owned(), first)));
            });
        }
        found
    }

    /// What is known, for a file that was linked or changed otherwise at this time.
    fn known(&self, changed: SystemTime) -> Arc<Known> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = found.as_ref().filter(|found| found.is_good_for(changed)) {
            return Arc::clone(&found.what);
        }
        let now = Found::now(|| {
            let mut known = Known::default();
            for place in self.guarded.iter().filter_map(|place| place.canonicalize().ok()) {
                walk(&place, MAX_DEPTH, BULK, &mut Reach::files(MAX_FILES), &mut |path, file| {
                    if file.names > 1 {
                        known.files.entry(file.object).or_insert_with(|| path.to_owned());
                    }
                });
                known.places.push(place);
            }
            known
        });
        let known = Arc::clone(&now.what);
        *found = Some(now);
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl SecondNames {
        fn first_name_of(&self, path: &Path) -> Option<PathBuf> {
            self.first_name(path, Linked::at(path)?)
        }
    }

    #[test]
    fn a_second_name_leads_to_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (home, own, work) = (root.join("home"), root.join("home/.hermes"), root.join("work/deep"));
        for place in [&own.join("mcp-tokens"), &home.join(".ssh"), &work] {
            std::fs::create_dir_all(place).unwrap();
        }
        for (file, second) in [
            (own.join(".env"), "env"),
            (own.join("mcp-tokens/t.json"), "t"),
            (home.join(".ssh/id_rsa"), "key"),
        ] {
            std::fs::write(&file, "secret").unwrap();
            std::fs::hard_link(&file, work.join(second)).unwrap();
            let names = SecondNames::of(&home, &own);
            assert_eq!(names.first_name_of(&work.join(second)), Some(file.clone()));
        }
        std::fs::write(work.join("a"), "x").unwrap();
        std::fs::hard_link(work.join("a"), work.join("b")).unwrap();
        let names = SecondNames::of(&home, &own);
        assert_eq!(names.first_name_of(&work.join("b")), None, "an ordinary file may have two names");
        assert_eq!(names.first_name_of(&own.join("state.db")), None, "nothing is there");
        // What is linked from now on is seen at once, however lately somebody looked.
        std::fs::hard_link(own.join(".env"), work.join("late")).unwrap();
        assert_eq!(names.first_name_of(&work.join("late")), Some(own.join(".env")));
        std::fs::remove_file(work.join("late")).unwrap();
        let mut below: Vec<PathBuf> =
            names.below(&[root.join("work")]).into_iter().map(|(second, _)| second).collect();
        below.sort();
        assert_eq!(below, ["env", "key", "t"].map(|name| work.join(name)));
    }

    #[test]
    fn names_beside_each_other_are_known() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (work, beside) = (root.join("work"), root.join("beside"));
        std::fs::create_dir_all(work.join("deep")).unwrap();
        std::fs::create_dir(&beside).unwrap();
        let names = SecondNames::of(&root.join("home"), &root.join("own"));
        let others = |path: &Path| {
            let mut others = names.others(path, Linked::at(path).unwrap(), &work);
            others.sort();
            others
        };
        for folder in [&work, &beside] {
            let (first, second) = (folder.join(".env"), folder.join("notes"));
            std::fs::write(&first, "x").unwrap();
            assert!(others(&first).is_empty());
            std::fs::hard_link(&first, &second).unwrap();
            assert_eq!(others(&second), std::slice::from_ref(&first));
            assert_eq!(others(&first), [second]);
        }
        let third = work.join("deep/third");
        std::fs::hard_link(work.join("notes"), &third).unwrap();
        assert_eq!(others(&third), [work.join(".env"), work.join("notes")]);
        std::fs::write(root.join(".env"), "x").unwrap();
        std::fs::hard_link(root.join(".env"), work.join("deep/fourth")).unwrap();
        assert_eq!(others(&work.join("deep/fourth")), [root.join(".env")]);
    }
}
