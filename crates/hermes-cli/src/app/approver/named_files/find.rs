//! From words to the files that are there.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use hermes_core::grant::NamedFile;

use super::content::content;
use super::expand::expand;
use super::implied::implied;
use super::words::{Words, base};

/// More files than this are not bound to one approval.
const MOST: usize = 64;
/// More folders than this are not looked into.
const MOST_FOLDERS: usize = 24;

/// What a command may run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Named {
    /// In the order of the words, with what is in them now.
    pub(crate) files: Vec<NamedFile>,
    /// Why these may not be all: then a yes is for once, and nothing can be stored.
    pub(crate) unsure: Option<String>,
}

/// The files that `command`, run in `folder`, names and may execute.
pub(crate) fn named_files(command: &str, folder: &Path, user_home: &Path) -> Named {
    let mut words = Words::of(command, folder, user_home);
    let folders = folders(&mut words, folder, user_home);
    let mut search = Search { start: folder, seen: BTreeSet::new(), files: Vec::new() };
    let program_by_place = |text: &str| text.contains('/') && command.trim_start().starts_with(text);
    for text in &words.texts {
        for folder in &folders {
            search.take(text, &place(text, folder, user_home), words.runs || program_by_place(text));
        }
    }
    if words.runs {
        for pattern in &words.patterns {
            for folder in &folders {
                match expand(pattern, folder) {
                    Some(paths) => paths.iter().for_each(|path| search.take("", path, true)),
                    None => {
                        words.unsure.get_or_insert_with(|| format!("{pattern} matches too many files"));
                    }
                }
            }
        }
    }
    let names: BTreeSet<&str> = words.texts.iter().flat_map(|text| implied(base(text))).collect();
    for folder in &folders {
        // These programs also look in the folders above.
        for above in folder.ancestors() {
            names.iter().for_each(|name| search.take("", &above.join(name), true));
        }
    }
    if search.files.len() > MOST {
        words.doubt(&format!("it names more than {MOST} files"));
        search.files.truncate(MOST);
    }
    Named { files: search.files, unsure: words.unsure }
}

struct Search<'a> {
    start: &'a Path,
    seen: BTreeSet<PathBuf>,
    files: Vec<NamedFile>,
}

impl Search<'_> {
    /// A file is known by the word that names it where the command starts, elsewhere by its path.
    fn take(&mut self, word: &str, path: &Path, all: bool) {
        let path = plain(path);
        if self.files.len() > MOST || self.seen.contains(&path) {
            return;
        }
        let Some(content) = content(&path, all) else { return };
        let here = !word.is_empty() && (!word.starts_with('/') && plain(&self.start.join(word)) == path);
        let near = path.strip_prefix(self.start).unwrap_or(&path).display().to_string();
        let word = if here || word.starts_with(['/', '~']) { word.to_owned() } else { near };
        self.files.push(NamedFile { word, content });
        self.seen.insert(path);
    }
}

/// The folder of the command, and every folder that it names: it may change to it.
fn folders(words: &mut Words, start: &Path, user_home: &Path) -> Vec<PathBuf> {
    let mut found = vec![plain(start)];
    let mut next = 0;
    while let Some(folder) = found.get(next).cloned() {
        next += 1;
        let named = words.texts.iter().map(|text| place(text, &folder, user_home));
        let matched = words.patterns.iter().filter_map(|pattern| expand(pattern, &folder)).flatten();
        for path in named.chain(matched).map(|path| plain(&path)) {
            if found.len() <= MOST_FOLDERS && !found.contains(&path) && path.is_dir() {
                found.push(path);
            }
        }
    }
    if found.len() > MOST_FOLDERS && words.runs {
        words.doubt("it names more folders than anybody would look into");
    }
    found
}

fn place(word: &str, folder: &Path, user_home: &Path) -> PathBuf {
    match word.strip_prefix("~/") {
        Some(rest) => user_home.join(rest),
        None => folder.join(word),
    }
}

/// Without `.` and, where the name before it is no link, without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if !plain.is_symlink() => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn scripts_are_found_where_they_would_be_run() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["run", "a.py", "notes.txt", "tool"] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path().join("tool"), executable).unwrap();
        let named = |command: &str| named_files(command, folder.path(), folder.path());
        let words = |command: &str| -> Vec<String> {
            let files = named(command).files;
            files.into_iter().map(|file| file.word).collect()
        };
        assert_eq!(words("./run now"), ["./run"]);
        assert_eq!(words("cat notes.txt"), Vec::<String>::new(), "nothing runs it");
        assert_eq!(words("cat notes.txt && bash notes.txt"), ["notes.txt"]);
        assert_eq!(words("A=1 python3 'a.py' < notes.txt"), ["a.py", "notes.txt"]);
        assert_eq!(words("bash ~/run"), [folder.path().join("run").display().to_string()]);
        assert_eq!(words("cat notes.txt | xargs ./tool"), ["notes.txt", "./tool"]);
        assert_eq!(words("git status; ls nowhere.py ."), Vec::<String>::new());
        let before = named("./run");
        std::fs::write(folder.path().join("run"), "other").unwrap();
        assert_ne!(before, named("./run"));
    }

    #[test]
    fn too_many_files_are_not_bound_to_one_yes() {
        let folder = tempfile::tempdir().unwrap();
        for index in 0..=MOST {
            std::fs::write(folder.path().join(format!("{index}.sh")), "x").unwrap();
        }
        let found = named_files("sh *.sh", folder.path(), folder.path());
        assert!(found.unsure.is_some_and(|why| why.contains("more than 64")));
        std::fs::remove_file(folder.path().join("0.sh")).unwrap();
        let found = named_files("sh *.sh", folder.path(), folder.path());
        assert_eq!((found.files.len(), found.unsure), (MOST, None));
    }
}
