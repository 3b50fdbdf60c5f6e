//! From a path as the model wrote it to the object it names.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use hermes_core::ToolError;
use hermes_core::path::clean;
use hermes_core::ports::PathResolver;
use rustix::fs::{OFlags, Stat, fstat};

use super::Workspace;
use super::linked::Linked;
use super::open::{open_exact, plain};
use super::spelling::meant;

/// As many symlinks as Linux itself follows before it gives up.
const MAX_SYMLINKS: usize = 40;

impl PathResolver for Workspace {
    fn resolve(&self, cwd: &Path, raw: &str) -> Result<PathBuf, ToolError> {
        let (path, file) = self.found(cwd, raw)?;
        // A hard link to a guarded file is that file, whatever it is called.
        let first_name = file.and_then(|file| self.second_names.first_name(&path, file));
        Ok(first_name.unwrap_or(path))
    }

    fn resolve_at_once(&self, cwd: &Path, raw: &str) -> Option<Result<PathBuf, ToolError>> {
        match self.found(cwd, raw) {
            Ok((_, Some(file))) if file.names > 1 => None,
            found => Some(found.map(|(path, _)| path)),
        }
    }

    fn other_names(&self, folder: &Path, path: &Path) -> Vec<PathBuf> {
        self.linked(path).map_or_else(Vec::new, |file| self.second_names.others(path, file, folder))
    }

    fn has_other_names(&self, path: &Path) -> bool {
        self.linked(path).is_some_and(|file| file.names > 1)
    }
}

impl Workspace {
    /// Where a path leads, and what stands there if that is a plain file.
    fn found(&self, cwd: &Path, raw: &str) -> Result<(PathBuf, Option<Linked>), ToolError> {
        if raw.is_empty() {
            return Err(ToolError::invalid("the path is empty"));
        }
        let (path, found) = follow_to(self.absolute(cwd, raw)?)?;
        let file = match found {
            Some(stat) => {
                self.looked_at.remember(&path, stat);
                Linked::of(&stat)
            }
            None => Linked::at(&path),
        };
        Ok((path, file))
    }

    /// What stands at a resolved path, if that is a plain file.
    fn linked(&self, path: &Path) -> Option<Linked> {
        let seen = self.looked_at.lately(path);
        seen.map_or_else(|| Linked::at(path), |stat| Linked::of(&stat))
    }

    /// Expands `~` and makes the path absolute, without looking at the file system.
    pub(super) fn absolute(&self, cwd: &Path, raw: &str) -> Result<PathBuf, ToolError> {
        if raw == "~" {
            return Ok(self.user_home.clone());
        }
        if let Some(rest) = raw.strip_prefix("~/") {
            return Ok(self.user_home.join(rest.trim_start_matches('/')));
        }
        if raw.starts_with('~') {
            return Err(ToolError::invalid(format!(
                "'{raw}' names another user's home folder; write the absolute path instead"
            )));
        }
        let path = meant(raw);
        if path.as_os_str().as_bytes().contains(&0) {
            return Err(ToolError::invalid("the path contains a NUL character"));
        }
        Ok(cwd.join(path))
    }

    /// Whether the last name of what the model wrote is itself a symbolic link.
    pub(super) fn is_link(&self, cwd: &Path, raw: &str) -> bool {
        let named = self.absolute(cwd, raw).ok().map(|path| clean(&path));
        named.and_then(|path| path.symlink_metadata().ok()).is_some_and(|facts| facts.is_symlink())
    }

    /// Whether a symbolic link in what the model wrote led to `resolved`. Links above `cwd` do not count.
    pub(super) fn leads_through_link(&self, cwd: &Path, raw: &str, resolved: &Path) -> bool {
        let base = follow(cwd).unwrap_or_else(|_| cwd.to_owned());
        self.absolute(&base, raw).is_ok_and(|path| clean(&path) != resolved)
    }
}

/// Follows `..` and symlinks component by component, as the kernel would. The part that does not exist
/// is kept as written, so a file that is about to be created has a judged path too.
pub(crate) fn follow(path: &Path) -> Result<PathBuf, ToolError> {
    follow_to(path.to_owned()).map(|(path, _)| path)
}

/// The same, with what stands there if that was seen on the way.
fn follow_to(path: PathBuf) -> Result<(PathBuf, Option<Stat>), ToolError> {
    // Most paths lead to something and through no link, which the kernel tells in one answer.
    if let Ok(opened) = open_exact(&path, OFlags::PATH) {
        return Ok((plain(path), fstat(opened).ok()));
    }
    let mut pending: Vec<OsString> = components(&path);
    let mut resolved = PathBuf::from("/");
    let mut links = 0;
    while let Some(name) = pending.pop() {
        if name == ".." {
            resolved.pop();
            continue;
        }
        let next = resolved.join(&name);
        match std::fs::read_link(&next) {
            Ok(target) => {
                links += 1;
                if links > MAX_SYMLINKS {
                    return Err(ToolError::invalid(format!(
                        "too many levels of symbolic links in '{}'",
                        path.display()
                    ))
                    .with_hint("The links lead in a circle; name the file itself."));
                }
                if target.is_absolute() {
                    resolved = PathBuf::from("/");
                }
                pending.extend(components(&target));
            }
            Err(_) => resolved = next,
        }
    }
    Ok((resolved, None))
}

/// The path's names, last first, ready to be popped; `..` stays, `.` and `/` go.
fn components(path: &Path) -> Vec<OsString> {
    let mut names: Vec<OsString> = path
        .components()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some(OsString::from("..")),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
        })
        .collect();
    names.reverse();
    names
}
