//! What git runs for repositories that no wall keeps, as it was before a program ran: compared when the program has ended,
//! and put back. What is known is known by its content, so that a repository may be moved.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::copied::Copied;
use super::git_files::{COMMONDIR, HOOKS, MOST_HOOKS, SETTINGS, ends, files};
use super::git_named::{Named, settings_of};
use super::git_settings::run_more;
use super::harmless::leads_back;
use super::listing::files_at;
use super::locked::open_again;
use super::nested::Nested;
use super::since::came_since;
use super::vacant::Vacant;
use crate::process::Confinement;
use crate::spot::Spot;

/// Settings and hooks are shorter, and all of them together. Of others it is only known whether they changed.
const LONGEST: u64 = 256 * 1024;
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// The settings and hooks of some repositories.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    /// Repositories of the session's folder itself.
    own: Vec<PathBuf>,
    /// The session's folder.
    top: PathBuf,
    home: Option<PathBuf>,
    /// Places in it that their settings name.
    named: Vec<PathBuf>,
    /// Where commands write.
    writable: Vec<PathBuf>,
    below: Nested,
    files: BTreeMap<PathBuf, Copied>,
}

impl Copies {
    /// Of the repositories below the session's folder.
    pub(crate) fn below(confinement: &Confinement) -> Self {
        let mut copies = Copies { writable: confinement.writable.clone(), ..Copies::default() };
        if let Some(vacant) = confinement.vacant.as_ref().filter(|vacant| vacant.looks_below) {
            copies.below = Nested::below(&vacant.folder);
            copies.top.clone_from(&vacant.folder);
            copies.home.clone_from(&vacant.home);
            let repositories: Vec<PathBuf> = copies.below.repositories.iter().cloned().collect();
            // What the folder's own repository runs may come to be in another place, as it is.
            let own = copies.named_by([&vacant.folder].into_iter());
            copies.keep(own.iter().flat_map(|place| files_at(place, MOST_HOOKS)).collect());
            copies.keep_all_of(&repositories, copies.below.trees.clone());
        }
        copies
    }

    /// Of others too.
    pub(crate) fn keep_own(&mut self, own: Vec<PathBuf>) {
        let tree = |git: &PathBuf| git.parent().filter(|_| git.ends_with(".git")).map(Path::to_owned);
        let trees = own.iter().filter_map(tree).chain([self.top.clone()]).collect();
        self.keep_all_of(&own, trees);
        self.own = own;
    }

    /// Where what is named now was named before: what names more is taken away itself.
    fn keep_all_of(&mut self, repositories: &[PathBuf], trees: BTreeSet<PathBuf>) {
        let mut named = self.named_by(trees.iter());
        let all = with_files(repositories.iter());
        named.extend(self.led_to_by(&all).0);
        let all = all.into_iter().flat_map(|(_, files)| files);
        self.keep(all.chain(named.iter().flat_map(|place| files_at(place, MOST_HOOKS))).collect());
        self.named.extend(named);
    }

    /// What the settings of these trees name.
    fn named_by<'t>(&self, trees: impl Iterator<Item = &'t PathBuf>) -> BTreeSet<PathBuf> {
        let within = [&self.writable[..], std::slice::from_ref(&self.top)].concat();
        let mut named = Named::of(self.home.as_deref());
        trees.flat_map(|tree| named.by(tree, &within)).collect()
    }

    /// What the settings and hooks of these repositories lead to by links, where commands write. Second: those of
    /// repositories with more links than are followed.
    fn led_to_by(&self, repositories: &[(PathBuf, Vec<PathBuf>)]) -> (BTreeSet<PathBuf>, BTreeSet<PathBuf>) {
        let is_written = |end: &Path| self.writable.iter().any(|folder| end.starts_with(folder));
        ends(repositories, |end| is_written(end) && !self.top.starts_with(end))
    }

    fn keep(&mut self, paths: Vec<PathBuf>) {
        let mut room = MOST_BYTES;
        for path in paths {
            if let Some(copied) = Copied::of(&path, room.min(LONGEST)) {
                room -= copied.bytes().map_or(0, |bytes| bytes.len() as u64);
                self.files.insert(path, copied);
            }
        }
    }

    /// What makes git run something now that it did not run before, wherever that was; of a repository outside of the
    /// folder what leads there.
    pub(super) fn changed(&self, vacant: &Vacant, start: SystemTime) -> Vec<PathBuf> {
        let look = || self.below.again(&vacant.folder, Some(start));
        let now = if vacant.looks_below { look() } else { Nested::default() };
        // Where not everything was looked into before, what is seen for the first time may have been there.
        let is_own = |path: &Path| self.own.iter().any(|own| path.starts_with(own));
        let is_new =
            |path: &Path| self.below.is_whole || is_own(path) || came_since(start, path, &vacant.folder);
        let repositories = || now.repositories.iter().chain(&self.own);
        for folder in repositories().flat_map(|folder| [folder.clone(), folder.join(HOOKS)]) {
            open_again(&folder, start);
        }
        let all = with_files(repositories());
        let paths = all.iter().flat_map(|(_, files)| files);
        let mut runs: BTreeSet<PathBuf> = paths.filter(|path| self.runs_more(path)).cloned().collect();
        // What is as it was elsewhere may name and lead to other things from where it is now; what is taken away does not.
        let tops = (!self.own.is_empty()).then_some(&self.top);
        let stays = |tree: &&PathBuf| !settings_of(tree).iter().any(|settings| runs.contains(settings));
        let mut named = self.named_by(now.trees.iter().chain(tops).filter(stays));
        let (ends, full) = self.led_to_by(&all);
        named.extend(ends);
        // Of some of their links nobody knows what they lead to from where they are now.
        let is_strange = |path: &PathBuf| path.is_symlink() && !self.files.contains_key(path);
        runs.extend(full.into_iter().filter(is_strange));
        named.extend(self.named.iter().cloned());
        let named = named.iter().flat_map(|place| files_at(place, MOST_HOOKS));
        runs.extend(named.filter(|path| self.runs_more(path)));
        let leads = now.leads.iter().filter(|(_, to)| self.leads_astray(to)).map(|(lead, _)| lead);
        runs.iter().chain(leads).filter(|path| is_new(path)).cloned().collect()
    }

    /// Others may change what was led to before. What lies where commands write is anybody's, also later.
    fn leads_astray(&self, to: &Path) -> bool {
        let is_known = self.below.leads.iter().any(|(_, known)| to.starts_with(known));
        let is_open = self.writable.iter().any(|folder| to.starts_with(folder));
        !is_known && (is_open || files(to).iter().any(|path| self.runs_more(path)))
    }

    fn runs_more(&self, path: &Path) -> bool {
        let Some(now) = Copied::of(path, LONGEST) else { return false };
        let before = self.files.get(path);
        let is_same = |was: &Copied| *was == now || Copied::other(path).is_some_and(|marks| *was == marks);
        let name = path.file_name();
        let is_hook = path.parent().is_some_and(|above| above.ends_with(HOOKS));
        let is_settings =
            !is_hook && SETTINGS.iter().any(|settings| name.is_some_and(|name| name == *settings));
        match now.bytes() {
            _ if before.is_some_and(is_same) => false,
            // It leads from where it is.
            Some(text) if !is_hook && name.is_some_and(|name| name == COMMONDIR) => !leads_back(path, text),
            _ if self.files.iter().any(|(place, was)| place.file_name() == name && is_same(was)) => false,
            Some(text) if is_settings => {
                let before = before.and_then(Copied::bytes).unwrap_or_default();
                run_more(&String::from_utf8_lossy(before), &String::from_utf8_lossy(text))
            }
            _ => true,
        }
    }

    /// What was at these places and in them comes to be there again, where nothing is now.
    pub(super) fn put_back(&self, places: &[PathBuf]) {
        let lost = |path: &Path| places.iter().any(|place| path.starts_with(place));
        for (path, copied) in self.files.iter().filter(|(path, _)| lost(path)) {
            if let Some(hooks) = path.parent().filter(|above| above.ends_with(HOOKS)) {
                let _ = Spot::at(hooks).and_then(|hooks| hooks.make_folder(0o755));
            }
            // What cannot be put back is in the quarantine, and told.
            let _ = copied.put_back(path);
        }
    }
}

fn with_files<'r>(repositories: impl Iterator<Item = &'r PathBuf>) -> Vec<(PathBuf, Vec<PathBuf>)> {
    repositories.map(|folder| (folder.clone(), files(folder))).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn looked_at(folder: &Path) -> (Vacant, Copies) {
        let vacant = Vacant { folder: folder.to_owned(), looks_below: true, ..Vacant::default() };
        let confinement = Confinement { vacant: Some(vacant.clone()), ..Confinement::default() };
        (vacant, Copies::below(&confinement))
    }

    const PLAIN: &str = "[core]\n\tbare = false\n";
    const RUNS: &str = "[core]\n\tbare = false\n\tfsmonitor = touch x\n";

    #[test]
    fn what_runs_programs_in_any_repository_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().canonicalize().unwrap();
        let bare = |at: &str, config: &str| {
            write(&work.join(at).join("HEAD"), "ref: refs/heads/m\n");
            for part in ["objects", "refs"] {
                fs::create_dir_all(work.join(at).join(part)).unwrap();
            }
            write(&work.join(at).join("config"), config);
        };
        bare("old/.git", "[core]\n\teditor = vi\n");
        write(&work.join("old/.git/hooks/pre-push"), "mine");
        bare("linked/.git", PLAIN);
        write(&work.join("linked/.git/hooks/pre-push"), "linked");
        let (vacant, before) = looked_at(&work);
        let changed = || before.changed(&vacant, SystemTime::now());
        assert_eq!(changed(), Vec::<PathBuf>::new());
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
        assert_eq!(changed(), Vec::<PathBuf>::new());
        // What is meant to run something.
        bare("deep/er/.git", RUNS);
        bare("deep/any-name", RUNS);
        bare("deep/any-name/objects/hidden/.git", RUNS);
        bare(".git/modules/n", RUNS);
        bare(".git/elsewhere", RUNS);
        write(&work.join("led/.git"), "gitdir: ../.git/elsewhere\n");
        let outside = tempfile::tempdir().unwrap();
        write(&outside.path().join("config"), RUNS);
        for lead in ["out/.git", "out-too/.git"] {
            write(&work.join(lead), &format!("gitdir: {}\n", outside.path().display()));
        }
        write(&work.join("cloned/.git/hooks/pre-commit"), "x");
        write(&work.join("cloned/.git/hooks/post-checkout"), "mine");
        write(&work.join("moved/.git/hooks/pre-push"), "changed");
        write(&work.join("cloned/.git/config.worktree"), RUNS);
        write(&work.join("deep/.git/commondir"), "/tmp/x\n");
        std::os::unix::fs::symlink("/tmp", work.join("deep/.git/hooks")).unwrap();
        // No repository by itself, but the rest of one.
        write(&work.join("parted/config"), RUNS);
        write(&work.join("parted/worktrees/x/commondir"), "../..\n");
        write(&work.join("parted/worktrees/x/HEAD"), "ref: refs/heads/m\n");
        fs::rename(work.join("linked/.git/hooks"), work.join("linked/away")).unwrap();
        std::os::unix::fs::symlink("../away", work.join("linked/.git/hooks")).unwrap();
        let places = changed();
        let found: BTreeSet<&str> =
            places.iter().map(|path| path.strip_prefix(&work).unwrap().to_str().unwrap()).collect();
        let wanted = [
            ".git/elsewhere/config",
            ".git/modules/n/config",
            "cloned/.git/config.worktree",
            "cloned/.git/hooks/post-checkout",
            "cloned/.git/hooks/pre-commit",
            "deep/.git/commondir",
            "deep/.git/hooks",
            "deep/any-name/config",
            "deep/any-name/objects/hidden/.git/config",
            "deep/er/.git/config",
            "linked/.git/hooks",
            "moved/.git/hooks/pre-push",
            "out-too/.git",
            "out/.git",
            "parted/config",
        ];
        assert_eq!(found, BTreeSet::from(wanted));
        fs::remove_file(work.join("linked/.git/hooks")).unwrap();
        before.put_back(&places);
        assert_eq!(fs::read_to_string(work.join("linked/.git/hooks/pre-push")).unwrap(), "linked");
    }

    /// However many folders are nearer, git looks into what its index names.
    #[test]
    fn what_the_index_names_is_looked_at_in_any_case() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().canonicalize().unwrap();
        (0..600).for_each(|number| fs::create_dir(work.join(format!("d{number}"))).unwrap());
        let (vacant, before) = looked_at(&work);
        let git = |words: &[&str]| {
            let mut git = std::process::Command::new("git");
            git.args(words).current_dir(&work).env_clear().env("PATH", "/usr/bin:/bin");
            assert!(git.env("HOME", &work).status().unwrap().success(), "{words:?}");
        };
        git(&["init", "-q"]);
        let link = format!("160000,{},z/far/sub", "1".repeat(40));
        git(&["update-index", "--add", "--cacheinfo", &link]);
        write(&work.join("z/far/sub/.git/config"), RUNS);
        write(&work.join("z/near/.git/config"), RUNS);
        assert_eq!(before.changed(&vacant, SystemTime::now()), [work.join("z/far/sub/.git/config")]);
    }

    #[test]
    fn what_was_there_before_anybody_looked_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let begun = SystemTime::now();
        let work = folder.path().canonicalize().unwrap();
        (0..600).for_each(|number| fs::create_dir(work.join(format!("d{number}"))).unwrap());
        write(&work.join("z/far/.git/config"), RUNS);
        let (vacant, before) = looked_at(&work);
        (0..600).for_each(|number| fs::remove_dir(work.join(format!("d{number}"))).unwrap());
        let long_after = SystemTime::now() + std::time::Duration::from_secs(60);
        assert_eq!(before.changed(&vacant, long_after), Vec::<PathBuf>::new());
        assert_eq!(before.changed(&vacant, begun), [work.join("z/far/.git/config")]);
    }
}
