//! Places that the settings of a repository name: where its hooks are, and which further settings count. Git runs what
//! is there as it runs what is in the repository itself.

use std::path::{Component, Path, PathBuf};

use super::repository::{Repository, named_folder};
use crate::spot::read_short;

/// Longer settings are not looked through.
const LONGEST: u64 = 256 * 1024;
/// How many files of settings are read.
const MOST_FILES: usize = 16;

/// Those in the work tree, be there anything or not.
pub(crate) fn named_by_settings(work_tree: &Path) -> Vec<PathBuf> {
    let mut named = Vec::new();
    let mut files = settings_of(work_tree);
    let mut next = 0;
    while let Some(file) = files.get(next).cloned() {
        next += 1;
        for setting in read_short(&file, LONGEST).map(|(text, _)| settings(&text)).unwrap_or_default() {
            let (place, is_more) = match setting {
                Setting::Hooks(path) => (meant(&path, work_tree), false),
                Setting::More(path) => (file.parent().and_then(|around| meant(&path, around)), true),
            };
            let Some(place) = place else { continue };
            if is_more && files.len() < MOST_FILES && !files.contains(&place) {
                files.push(place.clone());
            }
            if place.starts_with(work_tree) && place != work_tree && !named.contains(&place) {
                named.push(place);
            }
        }
    }
    named
}

/// The settings that git reads first for a work tree.
fn settings_of(work_tree: &Path) -> Vec<PathBuf> {
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
        match (section.as_str(), key.trim_end().to_ascii_lowercase().as_str()) {
            ("core", "hookspath") => found.push(Setting::Hooks(value)),
            ("include" | "includeif", "path") => found.push(Setting::More(value)),
            _ => {}
        }
    }
    found
}

/// A value without quotes and remarks.
fn plain(value: &str) -> String {
    let (mut plain, mut quoted, mut letters) = (String::new(), false, value.trim().chars());
    while let Some(letter) = letters.next() {
        match letter {
            '"' => quoted = !quoted,
            '\\' => plain.extend(letters.next()),
            '#' | ';' if !quoted => break,
            letter => plain.push(letter),
        }
    }
    plain.trim_end().to_owned()
}

/// Where a path leads, with links as far as there is anything. What begins at home is not for a work tree to change.
fn meant(path: &str, from: &Path) -> Option<PathBuf> {
    if path.is_empty() || path.starts_with(['~', '%']) {
        return None;
    }
    let mut meant = PathBuf::new();
    for part in from.join(path).components() {
        match part {
            Component::ParentDir => drop(meant.pop()),
            Component::CurDir => {}
            part => meant.push(part),
        }
        if let Ok(real) = meant.canonicalize() {
            meant = real;
        }
    }
    Some(meant)
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
        let tree = folder.path().canonicalize().unwrap();
        std::fs::create_dir_all(tree.join(".git")).unwrap();
        std::fs::create_dir_all(tree.join("conf")).unwrap();
        std::fs::write(tree.join(".git/config"), "[include]\n\tpath = ../conf/git\n\tpath = ../absent\n")
            .unwrap();
        std::fs::write(tree.join("conf/git"), "[core]\n\thooksPath = ci/../hooks\n[include]\npath = git\n")
            .unwrap();
        let named = ["conf/git", "absent", "hooks"].map(|name| tree.join(name));
        assert_eq!(named_by_settings(&tree), named);
        std::fs::write(tree.join(".git/config"), "[core]\n\thooksPath = /etc/hooks\n\thookspath = .\n")
            .unwrap();
        assert_eq!(named_by_settings(&tree), Vec::<PathBuf>::new());
    }
}
