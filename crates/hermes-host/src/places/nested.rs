//! Git repositories in a session's folder and in the folders below it: what makes git run programs there, as it was before
//! a program ran and as it is afterwards. A wall around each could not be removed with the folder that it stands in.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::git_settings::what_may_run;
use super::repository::named_folder;

/// How many folders are looked into, the nearest first: more would take longer than most commands.
const MOST_FOLDERS: usize = 500;
/// Settings and hooks are shorter. Of longer ones it is only known that they changed.
const MOST_BYTES: u64 = 64 * 1024;
/// Files of a repository that say what git runs, or where it reads that.
const SETTINGS: &[&str] = &["commondir", "config", "config.worktree"];
const HOOKS: &str = "hooks";

/// What decides what git runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nested {
    /// By place.
    pub files: BTreeMap<PathBuf, Content>,
    /// What somebody opened or agreed to.
    pub open: BTreeSet<PathBuf>,
}

/// What is at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Bytes(Vec<u8>),
    /// A link, or too long to be kept: only whether it is still the same.
    Other(String),
}

impl Nested {
    pub(crate) fn below(folder: &Path, open: BTreeSet<PathBuf>) -> Self {
        let repositories = repositories(folder).into_iter();
        Nested { files: repositories.flat_map(|(repository, _)| files(&repository)).collect(), open }
    }

    /// What makes git run something now and did not before, wherever it was; of a repository outside of the folder what
    /// leads there.
    pub(crate) fn newcomers(&self, folder: &Path) -> BTreeSet<PathBuf> {
        let is_known = |is: &Content| self.files.values().any(|was| was == is);
        let is_open =
            |path: &Path| self.open.iter().any(|open| open.starts_with(path) || path.starts_with(open));
        let mut found = BTreeSet::new();
        for (repository, lead) in repositories(folder) {
            let new = files(&repository);
            let mut new = new.into_iter().filter(|(path, is)| !is_known(is) && self.runs_more(path, is));
            match lead {
                None => found.extend(new.map(|(path, _)| path).filter(|path| !is_open(path))),
                // Others may change what was led to before.
                Some(_) if self.files.keys().any(|path| path.starts_with(&repository)) => {}
                Some(lead) => found.extend(new.next().map(|_| lead).filter(|lead| !is_open(lead))),
            }
        }
        found
    }

    /// What was at the place before, if it is to be there again.
    pub(super) fn before(&self, path: &Path) -> Option<&[u8]> {
        match self.files.get(path)? {
            Content::Bytes(bytes) => Some(bytes),
            Content::Other(_) => None,
        }
    }

    fn runs_more(&self, path: &Path, is: &Content) -> bool {
        let is_hook = path.parent().is_some_and(|above| above.ends_with(HOOKS));
        match (path.file_name().and_then(|name| name.to_str()), is) {
            (Some("commondir"), Content::Bytes(text)) if !is_hook => !leads_back(path, text),
            (Some("config" | "config.worktree"), Content::Bytes(text)) if !is_hook => {
                let before = match self.files.get(path) {
                    Some(Content::Bytes(before)) => what_may_run(&String::from_utf8_lossy(before)),
                    _ => BTreeSet::new(),
                };
                !what_may_run(&String::from_utf8_lossy(text)).is_subset(&before)
            }
            _ => true,
        }
    }
}

fn files(repository: &Path) -> Vec<(PathBuf, Content)> {
    let settings = SETTINGS.iter().map(|name| repository.join(name));
    let places = settings.chain(hooks(&repository.join(HOOKS)));
    places.filter_map(|path| content(&path).map(|content| (path, content))).collect()
}

/// The parts of work trees lead to the repository that they lie in.
fn leads_back(commondir: &Path, text: &[u8]) -> bool {
    let above = commondir.ancestors().nth(2).and_then(Path::file_name);
    above.is_some_and(|name| name == "worktrees") && text.trim_ascii_end() == b"../.."
}

/// Those that git runs; the folder itself, if it is none.
fn hooks(folder: &Path) -> Vec<PathBuf> {
    match fs::symlink_metadata(folder) {
        Ok(facts) if facts.is_dir() => {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
            entries.filter(|hook| hook.extension().is_none_or(|end| end != "sample")).collect()
        }
        Ok(_) => vec![folder.to_owned()],
        Err(_) => Vec::new(),
    }
}

fn content(path: &Path) -> Option<Content> {
    let facts = fs::symlink_metadata(path).ok()?;
    let mut bytes = Vec::new();
    if facts.is_file() && facts.len() <= MOST_BYTES {
        let read = fs::File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes));
        return read.is_ok().then_some(Content::Bytes(bytes));
    }
    let target = fs::read_link(path).unwrap_or_default();
    let marks = (facts.ino(), facts.len(), facts.ctime(), facts.ctime_nsec());
    Some(Content::Other(format!("{marks:?} {}", target.display())))
}

/// Every folder below that git takes for a repository, but not the folder's own: by its name, by what is in it, or because
/// a file of that name leads there. Those outside stand with what leads to them.
fn repositories(top: &Path) -> BTreeMap<PathBuf, Option<PathBuf>> {
    let mut found = BTreeMap::new();
    let mut waiting = VecDeque::from([top.to_owned()]);
    let mut looked_into = 0;
    while let Some(folder) = waiting.pop_front().filter(|_| looked_into < MOST_FOLDERS) {
        looked_into += 1;
        let mut names = [false; 4];
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            for (seen, wanted) in names.iter_mut().zip(["HEAD", "objects", "refs", "commondir"]) {
                *seen |= name.as_bytes() == wanted.as_bytes();
            }
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            match (name.as_bytes().eq_ignore_ascii_case(b".git"), is_folder) {
                (true, true) => {
                    waiting.push_back(entry.path().join("modules"));
                    if folder != top {
                        found.insert(entry.path(), None);
                    }
                }
                (true, false) => found.extend(led_to(&entry.path()).map(|repository| {
                    let lead = (!repository.starts_with(top)).then(|| entry.path());
                    (repository, lead)
                })),
                (false, true) => waiting.push_back(entry.path()),
                (false, false) => {}
            }
        }
        let [head, objects, refs, commondir] = names;
        if folder != top && head && ((objects && refs) || commondir) {
            found.insert(folder, None);
        }
    }
    found
}

/// Where a link or a file in the place of a repository leads.
fn led_to(git: &Path) -> Option<PathBuf> {
    let by_link = git.canonicalize().ok().filter(|folder| folder.is_dir());
    by_link.or_else(|| named_folder(git))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    const PLAIN: &str = "[core]\n\tbare = false\n";
    const RUNS: &str = "[core]\n\tbare = false\n\tfsmonitor = touch x\n";

    #[test]
    fn what_runs_programs_in_any_repository_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().canonicalize().unwrap();
        let bare = |at: &str, config: &str| {
            write(&work.join(at).join("HEAD"), "ref: refs/heads/m\n");
            fs::create_dir_all(work.join(at).join("objects")).unwrap();
            fs::create_dir_all(work.join(at).join("refs")).unwrap();
            write(&work.join(at).join("config"), config);
        };
        bare("old/.git", "[core]\n\teditor = vi\n");
        write(&work.join("old/.git/hooks/pre-push"), "mine");
        let before = Nested::below(&work, BTreeSet::from([work.join("agreed")]));
        assert_eq!(before.newcomers(&work), BTreeSet::new());
        // What everyday work does.
        bare("cloned/.git", PLAIN);
        write(&work.join("cloned/.git/hooks/pre-commit.sample"), "x");
        bare(".git/modules/m", "[core]\n\tworktree = ../../../m\n");
        write(
            &work.join("old/.git/config"),
            "[core]\n\teditor = vi\n[remote \"o\"]\n\turl = https://x.invalid\n",
        );
        fs::rename(work.join("old"), work.join("moved")).unwrap();
        write(&work.join("moved/.git/config"), "[core]\n\teditor = vi\n");
        bare("agreed/.git", RUNS);
        assert_eq!(before.newcomers(&work), BTreeSet::new());
        // What is meant to run something.
        bare("deep/er/.git", RUNS);
        bare("deep/any-name", RUNS);
        bare(".git/modules/n", RUNS);
        bare(".git/elsewhere", RUNS);
        write(&work.join("led/.git"), "gitdir: ../.git/elsewhere\n");
        let outside = tempfile::tempdir().unwrap();
        write(&outside.path().join("config"), RUNS);
        write(&work.join("out/.git"), &format!("gitdir: {}\n", outside.path().display()));
        write(&work.join("cloned/.git/hooks/pre-commit"), "x");
        write(&work.join("moved/.git/hooks/pre-push"), "changed");
        write(&work.join("cloned/.git/config.worktree"), RUNS);
        write(&work.join("deep/.git/commondir"), "/tmp/x\n");
        std::os::unix::fs::symlink("/tmp", work.join("deep/.git/hooks")).unwrap();
        let found: Vec<String> = before
            .newcomers(&work)
            .iter()
            .map(|path| path.strip_prefix(&work).unwrap().display().to_string())
            .collect();
        let wanted = [
            ".git/elsewhere/config",
            ".git/modules/n/config",
            "cloned/.git/config.worktree",
            "cloned/.git/hooks/pre-commit",
            "deep/.git/commondir",
            "deep/.git/hooks",
            "deep/any-name/config",
            "deep/er/.git/config",
            "moved/.git/hooks/pre-push",
            "out/.git",
        ];
        assert_eq!(found, wanted);
    }
}
