//! Places that are not there, and that no program may bring about on its own: what makes other programs run something
//! later. The kernel keeps only what is there, so these are looked at when the program has ended, and what came to be
//! there meanwhile goes to the quarantine. Its custodian does so, whatever has become of the runtime.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::copies::Copies;
use super::expected::{put_back, settle, strangers};
use super::harmless::what_runs;
use super::locked::open_all_again;
use super::quarantine::Quarantine;
use super::search::Search;
use crate::custody::is_placeholder;

/// Where what is taken away goes, in the folder of Hermes itself.
pub(crate) const QUARANTINE: &str = "quarantine";

/// What makes a repository of the folder that it lies in.
const MAKE_REPOSITORY: [&str; 2] = [".git", "HEAD"];

/// The places, by patterns, in one folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vacant {
    /// The session's folder.
    pub folder: PathBuf,
    /// Folders around it, and others that anybody's work may lie in, where commands write too: from every folder git looks
    /// for a repository in those around it.
    pub around: BTreeSet<PathBuf>,
    /// Relative to the folder, such as `.vscode/tasks.json` or `*.code-workspace`.
    pub patterns: Vec<String>,
    /// What fits them and was there before, or may come: nothing in it is looked at.
    pub before: BTreeSet<PathBuf>,
    /// What somebody opened in the folder.
    pub opened: BTreeSet<PathBuf>,
    /// Whether what git runs in the folders below stays as it was; not where anybody may change that.
    pub looks_below: bool,
    /// Whose own settings of git count in them.
    pub home: Option<PathBuf>,
    /// Where everything that is taken away goes, one folder for each program.
    pub quarantine: PathBuf,
    /// The name of the program's own.
    pub name: String,
}

impl Vacant {
    /// What is there now.
    pub(crate) fn occupied(&self) -> BTreeSet<PathBuf> {
        self.found(None)
    }

    fn found(&self, closed: Option<SystemTime>) -> BTreeSet<PathBuf> {
        let search = Search::new(Path::new("/"), &self.folder, &self.patterns);
        let mut found = search.opening(closed).in_workspace();
        let around = self.around.iter().flat_map(|folder| MAKE_REPOSITORY.map(|name| folder.join(name)));
        found.extend(around.filter(|place| place.symlink_metadata().is_ok()));
        found
    }

    /// What has come since.
    pub(crate) fn newcomers(&self) -> BTreeSet<PathBuf> {
        self.new_among(&self.occupied())
    }

    fn new_among(&self, all: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
        let is_known = |path: &Path| self.before.contains(path);
        let is_new = |path: &&PathBuf| !path.ancestors().any(is_known);
        // What lies in another newcomer is looked at with that.
        let is_first = |path: &&PathBuf| !path.ancestors().skip(1).any(|above| all.contains(above));
        all.iter().filter(is_new).filter(is_first).filter(|path| !is_placeholder(path)).cloned().collect()
    }

    /// Takes away what has come since `start`, once the program has ended, and puts back what was there before.
    pub(crate) fn clear(&self, start: SystemTime, copies: &Copies) {
        settle(&self.quarantine, &self.opened);
        // Of what somebody agreed to only what is not as it was left.
        let strangers = |path: &Path| strangers(&self.quarantine, path, start);
        let new = self.new_among(&self.found(Some(start)));
        new.iter().for_each(|place| open_all_again(place, start));
        let mut runs: BTreeSet<PathBuf> =
            new.into_iter().flat_map(|path| strangers(&path).unwrap_or_else(|| what_runs(&path))).collect();
        let changed = copies.changed(self, start).into_iter().filter(|path| self.is_kept(path));
        runs.extend(changed.flat_map(|path| strangers(&path).unwrap_or_else(|| vec![path])));
        // What lies in another one goes with that.
        let is_first = |path: &&PathBuf| !path.ancestors().skip(1).any(|above| runs.contains(above));
        let runs: Vec<PathBuf> = runs.iter().filter(is_first).cloned().collect();
        if !runs.is_empty() {
            // Where the session's folder itself is gone so is what was in it.
            let _ = Quarantine::of(self).map(|quarantine| quarantine.take(&runs));
            put_back(&self.quarantine, &runs);
            copies.put_back(&runs);
        }
    }

    /// Whether nobody opened the place, or something in it.
    fn is_kept(&self, path: &Path) -> bool {
        !self.opened.iter().any(|open| path.starts_with(open) || open.starts_with(path))
    }
}
