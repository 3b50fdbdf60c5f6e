//! From patterns of places that the rules single out to those that are there: walls stand around places, not around
//! patterns. What is found is only where to look; the rules say what holds there.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use hermes_core::grant::name_fits;

use super::locked::open_again;

/// Folders in the home folder that hold a folder for each program.
pub(crate) const NESTED: &[&str] = &[".cache", ".config", ".local/share"];
/// Where the view of a program is made anew, or what is there is no file.
const NO_FILES: &[&str] = &["/dev", "/proc", "/run", "/sys", "/var/run"];

/// The names in a folder, by how they are compared: without regard to case.
type Names = Rc<HashMap<String, Vec<OsString>>>;

/// Looks for places, and into each folder once.
pub(crate) struct Search<'a> {
    home: &'a Path,
    workspace: &'a Path,
    patterns: &'a [String],
    seen: HashMap<PathBuf, Names>,
    closed: Option<SystemTime>,
}

impl<'a> Search<'a> {
    pub(crate) fn new(home: &'a Path, workspace: &'a Path, patterns: &'a [String]) -> Self {
        Search { home, workspace, patterns, seen: HashMap::new(), closed: None }
    }

    /// Folders that were closed to their owner since then are opened.
    pub(crate) fn opening(self, closed: Option<SystemTime>) -> Self {
        Search { closed, ..self }
    }

    /// Those in the session's folder.
    pub(crate) fn in_workspace(&mut self) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        for pattern in self.patterns {
            if !is_no_file(pattern, self.workspace)
                && let Some(names) = names_below(pattern, self.workspace)
            {
                self.expand(self.workspace, &names, &mut found);
            }
        }
        found.remove(self.workspace);
        found
    }

    /// Those elsewhere: in the home folder and by their whole paths.
    pub(crate) fn elsewhere(&mut self) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        for pattern in self.patterns {
            if let Some(rest) = pattern.strip_prefix("~/").or_else(|| pattern.strip_prefix("**/")) {
                self.expand(self.home, &names(rest), &mut found);
            } else if pattern.starts_with('/') && !is_no_file(pattern, Path::new("/")) {
                self.expand(Path::new("/"), &names(pattern), &mut found);
            }
        }
        found.retain(|path| !self.home.starts_with(path) && !self.workspace.starts_with(path));
        found
    }

    fn expand(&mut self, folder: &Path, names: &[&str], found: &mut BTreeSet<PathBuf>) {
        match names {
            [] | ["**"] => {
                found.insert(folder.to_owned());
            }
            ["**", rest @ ..] => {
                self.expand(folder, rest, found);
                if NESTED.iter().any(|nested| folder == self.home.join(nested)) {
                    for inner in self.children(folder, "*") {
                        self.expand(&inner, rest, found);
                    }
                }
            }
            [name, rest @ ..] => {
                for inner in self.children(folder, name) {
                    self.expand(&inner, rest, found);
                }
            }
        }
    }

    fn children(&mut self, folder: &Path, pattern: &str) -> Vec<PathBuf> {
        let names = match self.seen.get(folder) {
            Some(names) => Rc::clone(names),
            None => {
                if let (Some(since), Ok(real)) = (self.closed, folder.canonicalize()) {
                    open_again(&real, since);
                }
                let names = listed(folder);
                self.seen.insert(folder.to_owned(), Rc::clone(&names));
                names
            }
        };
        let pattern = pattern.to_lowercase();
        let of = |names: &[OsString]| names.iter().map(|name| folder.join(name)).collect::<Vec<_>>();
        match kind(&pattern) {
            Kind::Exact => names.get(&pattern).map(|names| of(names)).unwrap_or_default(),
            Kind::Glob => names
                .iter()
                .filter(|(name, _)| name_fits(&pattern, name))
                .flat_map(|(_, names)| of(names))
                .collect(),
            Kind::Other => names.values().flat_map(|names| of(names)).collect(),
        }
    }
}

/// Whether there are no files at a pattern, seen from a folder.
fn is_no_file(pattern: &str, from: &Path) -> bool {
    NO_FILES.iter().any(|no| Path::new(pattern).starts_with(no) && !from.starts_with(no))
}

enum Kind {
    Exact,
    Glob,
    /// Alternatives and sets: whatever is there is looked at.
    Other,
}

fn kind(name: &str) -> Kind {
    match name {
        _ if name.contains(['{', '[', '\\', '<']) => Kind::Other,
        _ if name.contains(['*', '?']) => Kind::Glob,
        _ => Kind::Exact,
    }
}

/// The names of a pattern below a folder, if it can match there.
pub(crate) fn names_below<'p>(pattern: &'p str, folder: &Path) -> Option<Vec<&'p str>> {
    if let Some(rest) = pattern.strip_prefix("**/") {
        return Some(names(rest));
    }
    if pattern.starts_with(['~', '$']) {
        return None;
    }
    if !pattern.starts_with('/') {
        return Some(names(pattern.strip_prefix("./").unwrap_or(pattern)));
    }
    let wanted = names(pattern);
    let depth = folder.components().skip(1).count();
    let (above, rest) = wanted.split_at_checked(depth)?;
    let given = folder.components().skip(1).map(|name| name.as_os_str());
    above.iter().zip(given).all(|(name, given)| given == *name).then(|| rest.to_vec())
}

fn names(pattern: &str) -> Vec<&str> {
    pattern.split('/').filter(|name| !matches!(*name, "" | ".")).collect()
}

fn listed(folder: &Path) -> Names {
    let mut names: HashMap<String, Vec<OsString>> = HashMap::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        names.entry(name.to_string_lossy().to_lowercase()).or_default().push(name);
    }
    Rc::new(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_found_by_patterns_of_every_kind() {
        let folder = tempfile::tempdir().unwrap();
        let (home, project) = (folder.path().join("home"), folder.path().join("home/project"));
        for file in [
            "home/.docker/config.json",
            "home/.nuget/NuGet/NuGet.Config",
            "home/.some/deploy_secret",
            "home/.config/tool/credentials.yml",
            "home/keys",
            "home/project/.vscode/tasks.json",
            "home/project/keep/deep/f",
            "home/project/src/a.rs",
            &format!("home/project/{}", "a".repeat(200)),
        ] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let patterns = [
            "**/.docker/config.json",
            "~/.nuget/nuget/nuget.config",
            "~/.*/**/*{secret,passw}*",
            "~/.*/**/*credential*",
            "~/missing/**",
            "**/.vscode/tasks.json",
            "keep/deep/**",
            &format!("{}/src/*.{{rs,py}}", project.display()),
            "/proc/<pid>/mem",
            // Names are in the reach of programs: no pattern may take long to fail on one.
            &format!("{}b", "*a".repeat(40)),
        ]
        .map(str::to_owned);
        let mut search = Search::new(&home, &project, &patterns);
        let shown = |found: BTreeSet<PathBuf>, above: &Path| -> Vec<String> {
            found.iter().map(|path| path.strip_prefix(above).unwrap().display().to_string()).collect()
        };
        assert_eq!(shown(search.in_workspace(), &project), [".vscode/tasks.json", "keep/deep", "src/a.rs"]);
        let elsewhere = shown(search.elsewhere(), &home);
        for wanted in [
            ".docker/config.json",
            ".nuget/NuGet/NuGet.Config",
            ".some/deploy_secret",
            ".config/tool/credentials.yml",
        ] {
            assert!(elsewhere.iter().any(|found| found == wanted), "{wanted}: {elsewhere:?}");
        }
    }
}
