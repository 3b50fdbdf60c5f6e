//! The scripts that a command line names, by content: an approval must not outlive a change in them.
//!
//! Best effort, and on the strict side: what is listed here without being run only makes an approval hold
//! for less.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use hermes_core::grant::NamedFile;

use crate::app::trust::digest;

/// Files beyond this are known by size and time.
const LARGEST: u64 = 8 << 20;
const MOST: usize = 64;
const SCRIPTS: &[&str] = &[
    "sh", "bash", "zsh", "fish", "py", "js", "mjs", "cjs", "ts", "rb", "pl", "php", "lua", "ps1", "awk",
    "sql", "mk",
];
/// Programs that run the file they are given.
const READERS: &[&str] = &[
    ".", "ash", "bash", "bun", "dash", "deno", "ksh", "lua", "node", "perl", "php", "pypy", "python",
    "python2", "python3", "ruby", "sh", "source", "tclsh", "ts-node", "zsh",
];

/// The files that `command`, run in `folder`, names and may execute, in the order of its words.
pub(crate) fn named_files(command: &str, folder: &Path, user_home: &Path) -> Vec<NamedFile> {
    let mut found: Vec<NamedFile> = Vec::new();
    for part in command.split([';', '|', '&', '\n', '(', ')', '`', '{', '}']) {
        let mut program: Option<&str> = None;
        for word in part.split(|letter: char| letter.is_whitespace() || "<>".contains(letter)) {
            let word = word.trim_matches(['"', '\'']);
            if word.is_empty() || (program.is_none() && word.contains('=')) {
                continue;
            }
            let first = program.is_none();
            let base = program.unwrap_or(word).rsplit('/').next().unwrap_or_default();
            let by_place = if first { word.contains('/') } else { READERS.contains(&base) };
            program.get_or_insert(word);
            if found.len() < MOST && !found.iter().any(|file| file.word == word) {
                let path = place(word, folder, user_home);
                found.extend(
                    content(&path, by_place).map(|content| NamedFile { word: word.to_owned(), content }),
                );
            }
        }
    }
    found
}

fn place(word: &str, folder: &Path, user_home: &Path) -> PathBuf {
    match word.strip_prefix("~/") {
        Some(rest) => user_home.join(rest),
        None => folder.join(word),
    }
}

/// What the file holds, if it is one and may be run.
fn content(path: &Path, by_place: bool) -> Option<String> {
    let meta = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if !by_place && meta.permissions().mode() & 0o111 == 0 && !SCRIPTS.contains(&extension) {
        return None;
    }
    let stamp = || format!("stamp:{} {}.{:09}", meta.size(), meta.mtime(), meta.mtime_nsec());
    if meta.len() > LARGEST {
        return Some(stamp());
    }
    Some(std::fs::read(path).map_or_else(|_| stamp(), |content| format!("sha256:{}", digest(content))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_found_where_they_would_be_run() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["run", "a.py", "notes.txt", "tool"] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path().join("tool"), executable).unwrap();
        let words = |command: &str| -> Vec<String> {
            named_files(command, folder.path(), folder.path()).into_iter().map(|file| file.word).collect()
        };
        assert_eq!(words("./run now"), ["./run"]);
        assert_eq!(words("cat notes.txt && bash notes.txt"), ["notes.txt"]);
        assert_eq!(words("A=1 python3 'a.py' < notes.txt; ~/run"), ["a.py", "notes.txt", "~/run"]);
        assert_eq!(words("cat notes.txt | xargs tool"), ["tool"]);
        assert_eq!(words("git status; ls nowhere.py ."), Vec::<String>::new());
        let before = named_files("./run", folder.path(), folder.path());
        std::fs::write(folder.path().join("run"), "other").unwrap();
        assert_ne!(before, named_files("./run", folder.path(), folder.path()));
    }
}
