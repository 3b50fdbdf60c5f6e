//! The names that files have in a folder and around it, as they were found lately.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::linked::{Found, Linked, Object, Reach, walk};

/// How many files are looked at, the nearest first, and how many more in the folders above.
const BELOW: usize = 4_000;
const MOST_ABOVE: usize = 1_000;
/// A disk that takes longer is not waited for.
const PATIENCE: Duration = Duration::from_millis(100);
/// How many folders above the one where the work is done are looked into.
const ABOVE: usize = 4;
/// Of more folders nothing is remembered.
const REMEMBERED: usize = 32;

/// What was found in the folders that were asked about last.
#[derive(Clone, Debug, Default)]
pub(super) struct NamesInside(Arc<Mutex<VecDeque<(Scope, Slot)>>>);

/// Held while somebody looks: whoever asks for the same folder waits for the answer, and nobody else does.
type Slot = Arc<Mutex<Option<Found<Inside>>>>;

/// Where is looked.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Scope {
    folder: PathBuf,
    depth: usize,
    above: usize,
}

/// The files of a folder that have several names.
#[derive(Debug, Default)]
pub(super) struct Inside {
    /// Each as it was, with its names here.
    files: HashMap<Object, (Linked, Vec<PathBuf>)>,
    is_cut: bool,
}

impl Inside {
    pub(super) fn names(&self, object: Object) -> &[PathBuf] {
        self.files.get(&object).map_or(&[], |(_, names)| names)
    }
}

impl NamesInside {
    /// The folders where other names of a file may be, each with what is in it: the one where the work is done, or else
    /// the file's own, with those above. The whole disk is not looked through: a name elsewhere stays unknown.
    pub(super) fn around(&self, path: &Path, file: Linked, folder: &Path) -> Vec<(PathBuf, Arc<Inside>)> {
        let own = path.parent().unwrap_or(folder);
        let is_below = own.starts_with(folder);
        let (folder, depth) = if is_below { (folder, usize::MAX) } else { (own, 1) };
        let first = self.inside(Scope { folder: folder.to_owned(), depth, above: ABOVE }, file);
        let is_cut = is_below && first.is_cut;
        let mut around = vec![(folder.to_owned(), first)];
        if is_cut {
            // What lies right beside a file is seen however far away the file is.
            let beside = Scope { folder: own.to_owned(), depth: 1, above: 0 };
            around.push((own.to_owned(), self.inside(beside, file)));
        }
        around
    }

    fn inside(&self, scope: Scope, file: Linked) -> Arc<Inside> {
        let slot = self.slot(&scope);
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let is_good = |found: &Found<Inside>| match found.what.files.get(&file.object) {
            Some((seen, _)) => *seen == file && found.is_good_for_seen(file.changed),
            None => found.is_good_for(file.changed),
        };
        if let Some(found) = slot.as_ref().filter(|found| is_good(found)) {
            return Arc::clone(&found.what);
        }
        let found = Found::now(|| scope.look());
        let inside = Arc::clone(&found.what);
        *slot = Some(found);
        inside
    }

    fn slot(&self, scope: &Scope) -> Slot {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = slots.iter().position(|(known, _)| known == scope).and_then(|at| slots.remove(at));
        let (scope, slot) = known.unwrap_or_else(|| (scope.clone(), Slot::default()));
        slots.push_back((scope, Arc::clone(&slot)));
        if slots.len() > REMEMBERED {
            slots.pop_front();
        }
        slot
    }
}

impl Scope {
    fn look(&self) -> Inside {
        let mut inside = Inside::default();
        let mut note = |path: &Path, file: Linked| {
            if file.names > 1 {
                let (_, names) = inside.files.entry(file.object).or_insert_with(|| (file, Vec::new()));
                names.push(path.to_owned());
            }
        };
        let until = Instant::now() + PATIENCE;
        let mut reach = Reach::files(BELOW).until(until);
        let is_all = walk(&self.folder, self.depth, &[], &mut reach, &mut note);
        // Who works in a part of a project has what is the whole project's right above.
        let mut reach = Reach::files(MOST_ABOVE).until(until);
        for above in self.folder.ancestors().skip(1).take(self.above) {
            walk(above, 1, &[], &mut reach, &mut note);
        }
        inside.is_cut = !is_all;
        inside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linked(first: &Path, second: &Path) -> Linked {
        std::fs::create_dir_all(first.parent().unwrap()).unwrap();
        std::fs::write(first, "x").unwrap();
        std::fs::hard_link(first, second).unwrap();
        Linked::at(second).unwrap()
    }

    #[test]
    fn what_lies_beside_a_file_is_seen_however_far_away_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (work, deep) = (root.join("work"), root.join("work/z/y/x"));
        let file = linked(&deep.join(".env"), &deep.join("notes"));
        for name in 0..BELOW {
            std::fs::write(work.join(name.to_string()), "").unwrap();
        }
        let around = NamesInside::default().around(&deep.join("notes"), file, &work);
        let mut names: Vec<&PathBuf> =
            around.iter().flat_map(|(_, inside)| inside.names(file.object)).collect();
        names.sort();
        assert_eq!(names, [&deep.join(".env"), &deep.join("notes")]);
        assert!(around.first().is_some_and(|(_, inside)| inside.is_cut));
    }

    #[test]
    fn folders_do_not_drive_each_other_out() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let works = ["one", "two"].map(|name| root.join(name));
        let files = works.each_ref().map(|work| (linked(&work.join("a"), &work.join("b")), work));
        // What was linked within this very tick may be linked once more unseen.
        std::thread::sleep(Duration::from_millis(50));
        let names = NamesInside::default();
        let look = || files.map(|(file, work)| names.around(&work.join("b"), file, work).remove(0).1);
        let (before, after) = (look(), look());
        assert!(before.iter().zip(&after).all(|(before, after)| Arc::ptr_eq(before, after)));
        // A file that stands in the look as it is now is known, whatever our clock says about its time.
        let ahead = Inside::default();
        let (mut file, work) = files[0];
        file.changed += Duration::from_secs(3600);
        let slot = names.slot(&Scope { folder: work.clone(), depth: usize::MAX, above: ABOVE });
        let seen = Inside { files: HashMap::from([(file.object, (file, Vec::new()))]), ..ahead };
        *slot.lock().unwrap() = Some(Found::now(|| seen));
        let known = names.around(&work.join("b"), file, work).remove(0).1;
        assert!(known.names(file.object).is_empty(), "nobody looked again");
    }
}
