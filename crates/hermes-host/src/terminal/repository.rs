//! A git repository in a folder that commands write: they use it as anybody does, but what makes git run programs,
//! also later and outside, stays as it is.

use std::fs;
use std::path::{Path, PathBuf};

/// Names of a repository that say what git runs, or where it reads that. Also while they are not there.
const RUNS_PROGRAMS: &[&str] = &["commondir", "config", "config.worktree", "hooks"];
/// How many folders of submodules and work trees are looked at.
const MOST_FOLDERS: usize = 500;

/// What must be placed one above the other.
#[derive(Debug, Default)]
pub(super) struct Repository {
    /// Folders that may be written, but neither moved nor replaced by others.
    pub(super) folders: Vec<PathBuf>,
    pub(super) protected: Vec<PathBuf>,
}

impl Repository {
    /// Whether the name is that of a repository: `.git`, or `name.git` without a work tree.
    pub(super) fn is_at(path: &Path) -> bool {
        path.to_string_lossy().ends_with(".git") && is_folder(path)
    }

    /// Looks at one below `workspace`.
    pub(super) fn at(path: &Path, workspace: &Path) -> Self {
        let mut found = Repository::default();
        found.look(path, workspace);
        found
    }

    fn look(&mut self, path: &Path, workspace: &Path) {
        self.folders.push(path.to_owned());
        self.protected.extend(RUNS_PROGRAMS.iter().map(|name| path.join(name)));
        self.submodules(&path.join("modules"), workspace);
        for tree in folders(&path.join("worktrees")) {
            // Where the work tree lies in the workspace, its link to here can be changed there, and a command
            // may remove both.
            let link = fs::read_to_string(tree.join("gitdir")).unwrap_or_default();
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

fn folders(of: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(of).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| is_folder(path))
}

/// A link to a folder is none.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|facts| facts.is_dir())
}
