//! Hard links to guarded files. A second name of a file says nothing about the first, so no rule about paths would
//! know it; here the name that rules speak of is found by the object.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

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
/// Deeper folders, and more files, are not looked at.
const MAX_DEPTH: usize = 4;
const MAX_FILES: usize = 20_000;
/// How long what was found is believed.
const BELIEVED: Duration = Duration::from_secs(1);

/// A file as the kernel knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Object {
    pub(super) device: u64,
    pub(super) inode: u64,
}

/// The guarded files that have more than one name, by what they are. Usually there is none.
#[derive(Clone, Debug)]
pub(crate) struct SecondNames {
    guarded: Arc<[PathBuf]>,
    found: Arc<Mutex<Option<Found>>>,
}

/// What was found, and when.
type Found = (Instant, Arc<Known>);

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
        SecondNames {
            guarded: std::iter::once(hermes_home.to_owned()).chain(at_home).collect(),
            found: Arc::default(),
        }
    }

    /// The name by which a file is guarded, if `path`, which is free of links, is another of its `names`.
    pub(super) fn first_name(&self, path: &Path, object: Object, names: u64) -> Option<PathBuf> {
        (names > 1).then(|| self.known().first_name(path, object))?
    }

    /// The same for what stands there now.
    pub(super) fn first_name_of(&self, path: &Path) -> Option<PathBuf> {
        let meta = path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
        self.first_name(path, object(&meta), meta.nlink())
    }

    /// Second names of guarded files below these folders, each with the first one.
    pub(crate) fn below(&self, folders: &[PathBuf]) -> Vec<(PathBuf, PathBuf)> {
        let known = self.known();
        let mut found = Vec::new();
        if known.files.is_empty() {
            return found;
        }
        for folder in folders {
            walk(folder, usize::MAX, &[], &mut |path, meta| {
                let first = known.first_name(path, object(meta));
                found.extend(first.map(|first| (path.to_owned(), first)));
            });
        }
        found
    }

    fn known(&self) -> Arc<Known> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((made, known)) = &*found
            && made.elapsed() < BELIEVED
        {
            return Arc::clone(known);
        }
        let mut known = Known::default();
        for place in self.guarded.iter().filter_map(|place| place.canonicalize().ok()) {
            walk(&place, MAX_DEPTH, BULK, &mut |path, meta| {
                if meta.nlink() > 1 {
                    known.files.entry(object(meta)).or_insert_with(|| path.to_owned());
                }
            });
            known.places.push(place);
        }
        let known = Arc::new(known);
        *found = Some((Instant::now(), Arc::clone(&known)));
        known
    }
}

fn object(meta: &std::fs::Metadata) -> Object {
    Object { device: meta.dev(), inode: meta.ino() }
}

/// Shows every file at or below a place, following no links and leaving some of its folders out.
fn walk(place: &Path, depth: usize, but: &[&str], show: &mut impl FnMut(&Path, &std::fs::Metadata)) {
    let mut waiting = vec![(place.to_owned(), 0)];
    let mut seen = 0;
    while let Some((path, level)) = waiting.pop() {
        let Ok(meta) = path.symlink_metadata() else { continue };
        if meta.is_file() {
            show(&path, &meta);
        } else if meta.is_dir() && level < depth && !but.iter().any(|name| path == place.join(name)) {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            waiting.extend(entries.map(|entry| (entry.path(), level + 1)));
        }
        seen += 1;
        if seen > MAX_FILES {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut below: Vec<PathBuf> =
            names.below(&[root.join("work")]).into_iter().map(|(second, _)| second).collect();
        below.sort();
        assert_eq!(below, ["env", "key", "t"].map(|name| work.join(name)));
    }
}
