//! Places that the settings of git name: where hooks are, which further settings count, and which programs it runs. Git runs
//! what is there as it runs what is in the repository itself.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::git_settings::{is_harmless, names_no_program, plain};
use super::led::Led;
use super::repository::{Repository, named_folder};
use crate::spot::read_short;

/// Longer settings are not looked through.
const LONGEST: u64 = 256 * 1024;
/// How many files of settings are read.
const MOST_FILES: usize = 16;
/// Of a command line.
const MOST_WORDS: usize = 32;

/// The person's own settings, from the home folder.
pub(crate) const OF_HOME: &[&str] = &[".gitconfig", ".config/git/config"];

/// Those in one of these folders, be there anything or not, by the settings of the repository of a work tree and those of
/// the person with that home.
pub(crate) fn named_by_settings(work_tree: &Path, within: &[PathBuf], home: Option<&Path>) -> Vec<PathBuf> {
    Named::of(home).by(work_tree, within)
}

/// The same for many work trees: what one of them has in common with the others is looked at once.
pub(super) struct Named<'h> {
    home: Option<&'h Path>,
    read: HashMap<PathBuf, Rc<[Setting]>>,
    /// Where whole paths lead.
    led: HashMap<PathBuf, Led>,
}

impl<'h> Named<'h> {
    pub(super) fn of(home: Option<&'h Path>) -> Self {
        Named { home, read: HashMap::new(), led: HashMap::new() }
    }

    pub(super) fn by(&mut self, work_tree: &Path, within: &[PathBuf]) -> Vec<PathBuf> {
        let mut named = Vec::new();
        let home = self.home;
        let mut files = settings_of(work_tree);
        files.extend(home.into_iter().flat_map(|home| OF_HOME.iter().map(|name| home.join(name))));
        let mut next = 0;
        while let Some(file) = files.get(next).cloned() {
            next += 1;
            for setting in self.settings(&file).iter() {
                let (found, is_more) = match setting {
                    Setting::Hooks(path) => (self.meant(path, work_tree), false),
                    Setting::More(path) => (file.parent().and_then(|around| self.meant(path, around)), true),
                    Setting::Run(line) => {
                        named.extend(self.programs(line, work_tree).into_iter().flat_map(Led::places));
                        continue;
                    }
                };
                let Some(found) = found else { continue };
                if is_more && files.len() < MOST_FILES && !files.contains(&found.end) {
                    files.push(found.end.clone());
                }
                named.extend(found.places());
            }
        }
        let mut known = BTreeSet::new();
        let is_within = |place: &PathBuf| within.iter().any(|top| place.starts_with(top) && place != top);
        named.retain(|place| is_within(place) && known.insert(place.clone()));
        named
    }

    fn settings(&mut self, file: &Path) -> Rc<[Setting]> {
        if let Some(known) = self.read.get(file) {
            return Rc::clone(known);
        }
        let read = read_short(file, LONGEST).map(|(text, _)| settings(&text)).unwrap_or_default();
        let read: Rc<[Setting]> = read.into();
        self.read.insert(file.to_owned(), Rc::clone(&read));
        read
    }

    fn meant(&mut self, path: &str, from: &Path) -> Option<Led> {
        let whole = whole(path, from, self.home)?;
        // What is seen from every work tree.
        if !path.starts_with(['/', '~']) {
            return Some(Led::by(&whole));
        }
        Some(self.led.entry(whole).or_insert_with_key(|whole| Led::by(whole)).clone())
    }

    /// The files that a command line names: a program by its path, be it there or not, and what is there of all else.
    fn programs(&mut self, line: &str, from: &Path) -> Vec<Led> {
        let words =
            line.split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | ';' | '|' | '&' | '(' | ')'));
        let words = words.filter(|word| !word.is_empty() && !word.contains("://")).take(MOST_WORDS);
        let mut found = Vec::new();
        for (number, word) in words.enumerate() {
            let is_program = number == 0;
            // A program without a path is looked for elsewhere.
            if is_program && !word.contains('/') {
                continue;
            }
            let Some(whole) = whole(word, from, self.home) else { continue };
            // The way back from a folder that is not there yet may come to be one.
            let end = if word.contains("..") { Led::by(&whole).end } else { whole };
            let is_there = match std::fs::metadata(&end) {
                Ok(facts) => facts.is_file(),
                Err(_) => is_program,
            };
            if is_there {
                found.extend(self.meant(word, from));
            }
        }
        found
    }
}

/// The settings that git reads first for a work tree.
pub(super) fn settings_of(work_tree: &Path) -> Vec<PathBuf> {
    let git = work_tree.join(".git");
    let repository = match git.is_dir() {
        true => Some(git),
        false if Repository::is_bare_at(work_tree) => Some(work_tree.to_owned()),
        false => named_folder(&git),
    };
    let Some(repository) = repository else { return Vec::new() };
    // A work tree's own part says where the rest of the repository is.
    let said = read_short(&repository.join("commondir"), LONGEST).ok();
    let rest = said.and_then(|(text, _)| String::from_utf8(text).ok());
    let rest = rest.and_then(|rest| repository.join(rest.trim_end()).canonicalize().ok());
    let parts = std::iter::once(repository).chain(rest);
    parts.flat_map(|part| ["config", "config.worktree"].map(|name| part.join(name))).collect()
}

#[derive(Debug, PartialEq)]
enum Setting {
    Hooks(String),
    More(String),
    /// A command line, for all that is known.
    Run(String),
}

fn settings(text: &[u8]) -> Vec<Setting> {
    let text = String::from_utf8_lossy(text);
    let (mut section, mut found) = (String::new(), Vec::new());
    for line in text.lines().map(str::trim) {
        let mut rest = line;
        // A setting may stand behind its section.
        while let Some((header, behind)) = rest.strip_prefix('[').and_then(|inside| inside.split_once(']')) {
            section = header.split(['"', ' ', '\t', '.']).next().unwrap_or_default().to_ascii_lowercase();
            rest = behind.trim_start();
        }
        let Some((key, value)) = rest.split_once('=') else { continue };
        let value = plain(value);
        let key = key.trim_end().to_ascii_lowercase();
        match (section.as_str(), key.as_str()) {
            ("core", "hookspath") => found.push(Setting::Hooks(value)),
            ("include" | "includeif", "path") => found.push(Setting::More(value)),
            // Without the mark it is one of git's own commands.
            ("alias", _) => found.extend(value.strip_prefix('!').map(|line| Setting::Run(line.to_owned()))),
            (section, key) if is_harmless(section, key) || names_no_program(section, key) => {}
            _ => found.push(Setting::Run(value.trim_start_matches('!').to_owned())),
        }
    }
    found
}

fn whole(path: &str, from: &Path, home: Option<&Path>) -> Option<PathBuf> {
    match path.strip_prefix("~/") {
        Some(rest) => Some(home?.join(rest)),
        None if path.is_empty() || path.starts_with(['~', '%']) => None,
        None => Some(from.join(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_git_is_read() {
        let hooks = |path: &str| vec![Setting::Hooks(path.to_owned())];
        for (text, path) in [
            ("[core]\n\thooksPath = githooks\n", "githooks"),
            ("[CORE]\nHOOKSPATH=\"my hooks\" # mine\n", "my hooks"),
            ("[core] hookspath = a\\\\b ; c\n", "a\\b"),
            ("[user]\nname = x\n[core]\nbare = false\nhooksPath=x#y\n", "x"),
        ] {
            assert_eq!(settings(text.as_bytes()), hooks(path), "{text}");
        }
        let more =
            b"[include]\n\tpath = ../more\n[includeIf \"gitdir:/a=b/\"]\n\tpath = other\n[alias]\npath = x\n";
        assert_eq!(settings(more), ["../more", "other"].map(|path| Setting::More(path.to_owned())));
    }

    #[test]
    fn what_is_named_is_found_through_further_settings() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        let tree = home.join("tree");
        std::fs::create_dir_all(tree.join(".git")).unwrap();
        std::fs::create_dir_all(tree.join("conf")).unwrap();
        std::fs::write(tree.join(".git/config"), "[include]\n\tpath = ../conf/git\n\tpath = ../absent\n")
            .unwrap();
        std::fs::write(tree.join("conf/git"), "[core]\n\thooksPath = ci/../hooks\n[include]\npath = git\n")
            .unwrap();
        let named = ["conf/git", "absent", "hooks"].map(|name| tree.join(name));
        assert_eq!(named_by_settings(&tree, std::slice::from_ref(&tree), Some(&home)), named);
        std::fs::write(tree.join(".git/config"), "[core]\n\thooksPath = /etc/hooks\n\thookspath = .\n")
            .unwrap();
        assert_eq!(named_by_settings(&tree, std::slice::from_ref(&tree), Some(&home)), Vec::<PathBuf>::new());
        std::fs::write(home.join(".gitconfig"), "[include]\n\tpath = ~/tree/shared\n").unwrap();
        std::fs::write(tree.join("lint.py"), "").unwrap();
        let programs = "[core]\n\tfsmonitor = ./watch.sh\n\teditor = vi\n[filter \"x\"]\n\tclean = \"python3 lint.py %f\"\n\
                        \tsmudge = cat\n[alias]\n\tst = status conf\n\tup = !ci/up.sh conf\n[commit]\n\ttemplate = ./message\n";
        std::fs::write(tree.join(".git/config"), programs).unwrap();
        let named = ["watch.sh", "lint.py", "ci/up.sh", "shared"].map(|name| tree.join(name));
        assert_eq!(named_by_settings(&tree, std::slice::from_ref(&tree), Some(&home)), named);
        // Whoever turns a link on the way turns the rest.
        for (link, to) in [("watch.sh", "bin/watch"), ("bin", "tools"), ("tools/watch", "../w")] {
            std::fs::create_dir_all(tree.join("tools")).unwrap();
            std::os::unix::fs::symlink(to, tree.join(link)).unwrap();
        }
        std::fs::write(tree.join(".git/config"), "[core]\n\tfsmonitor = ./watch.sh\n").unwrap();
        let named = ["watch.sh", "bin", "tools/watch", "w", "shared"].map(|name| tree.join(name));
        assert_eq!(named_by_settings(&tree, std::slice::from_ref(&tree), Some(&home)), named);
    }
}
