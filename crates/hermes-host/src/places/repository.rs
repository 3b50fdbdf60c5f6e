//! A git repository in a folder that commands write: they use it as anybody does, but what makes git run programs,
//! also later and outside, stays as it is.

use std::fs;
use std::path::{Path, PathBuf};

use super::way::way_to;
use crate::spot::read_short;

/// Names of a repository that say what git runs, or where it reads that. Also while they are not there.
const RUNS_PROGRAMS: &[&str] = &["commondir", "config", "config.worktree", "hooks"];
/// How many folders of submodules and work trees are looked at.
const MOST_FOLDERS: usize = 500;
/// A file that names a repository is shorter.
const LONGEST_NAME: u64 = 16 * 1024;

/// What must be placed one above the other.
#[derive(Debug, Default)]
pub(crate) struct Repository {
    /// Folders that may be written, but neither moved nor replaced by others.
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) protected: Vec<PathBuf>,
}

impl Repository {
    /// Whether the name is that of a repository: `.git`, or `name.git` without a work tree.
    pub(crate) fn is_at(path: &Path) -> bool {
        path.to_string_lossy().ends_with(".git") && is_folder(path)
    }

    /// Whether the folder itself is one, whatever its name: git takes it for one.
    pub(crate) fn is_bare_at(folder: &Path) -> bool {
        folder.join("HEAD").is_file() && ["objects", "refs"].iter().all(|name| folder.join(name).is_dir())
    }

    /// Looks at one below `workspace`.
    pub(crate) fn at(path: &Path, workspace: &Path) -> Self {
        let mut found = Repository::default();
        found.look(path, workspace);
        found
    }

    /// The one that the `.git` file of a work tree or a submodule names, where commands may write there.
    pub(crate) fn named_by(file: &Path, writable: &[PathBuf]) -> Self {
        let mut found = Repository::default();
        let Some((around, named)) = file.parent().zip(named_folder(file)) else { return found };
        // A work tree's own part says where the rest of the repository is.
        let rest = said(&named.join("commondir"));
        let rest = rest.and_then(|rest| named.join(rest.trim_end()).canonicalize().ok());
        for part in std::iter::once(named).chain(rest) {
            if let Some(way) = way_to(&part, writable) {
                found.folders.extend(way);
                found.look(&part, around);
            }
        }
        found
    }

    fn look(&mut self, path: &Path, workspace: &Path) {
        self.folders.push(path.to_owned());
        self.protected.extend(RUNS_PROGRAMS.iter().map(|name| path.join(name)));
        self.submodules(&path.join("modules"), workspace);
        for tree in folders(&path.join("worktrees")) {
            // Where the work tree lies in the workspace, its link to here can be changed there, and a command
            // may remove both.
            let link = said(&tree.join("gitdir")).unwrap_or_default();
            if !Path::new(link.trim_end()).starts_with(workspace) && self.folders.len() < MOST_FOLDERS {
                self.protected.extend(RUNS_PROGRAMS.iter().map(|name| tree.join(name)));
                self.folders.extend([path.join("worktrees"), tree]);
            }
        }
    }

    /// Names of submodules may be paths, so repositories are found at any depth.
    fn submodules(&mut self, folder: &Path, workspace: &Path) {
        for module in folders(folder) {
            if self.folders.len() >= MOST_FOLDERS {
                // What is not looked at is not opened.
                self.protected.push(module);
                continue;
            }
            self.folders.push(folder.to_owned());
            match module.join("HEAD").exists() {
                true => self.look(&module, workspace),
                false => self.submodules(&module, workspace),
            }
        }
    }
}

/// What a file with `gitdir: path` in it leads to.
pub(super) fn named_folder(file: &Path) -> Option<PathBuf> {
    let is_gits = file.file_name().is_some_and(|name| name == ".git");
    let text = said(file).filter(|_| is_gits)?;
    let path = text.strip_prefix("gitdir:")?.trim();
    file.parent()?.join(path).canonicalize().ok().filter(|folder| folder.is_dir())
}

/// Commands write these files: what is none, such as a pipe that nobody fills, says nothing.
fn said(file: &Path) -> Option<String> {
    let (bytes, _) = read_short(file, LONGEST_NAME).ok()?;
    String::from_utf8(bytes).ok()
}

fn folders(of: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries =
        is_folder(of).then(|| fs::read_dir(of).into_iter().flatten().flatten()).into_iter().flatten();
    entries.map(|entry| entry.path()).filter(|path| is_folder(path))
}

/// A link to a folder is none.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|facts| facts.is_dir())
}
