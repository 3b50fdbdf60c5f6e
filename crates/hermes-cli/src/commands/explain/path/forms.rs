//! The forms that a path takes on its way to the object.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use hermes_policy::paths::{PathRefusal, lexical, names_folder};

use super::files::Files;

/// As many links as Linux itself follows.
const MAX_LINKS: usize = 40;

/// One path in all its forms.
#[derive(Clone, Debug)]
pub(super) struct Forms {
    /// As it was written, then after each link.
    pub(super) on_the_way: Vec<PathBuf>,
    /// The name itself: links above it followed, itself not.
    pub(super) entry: PathBuf,
    /// The object.
    pub(super) resolved: PathBuf,
    /// Whether the text can only mean a folder.
    pub(super) names_folder: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoForms {
    Refused(PathRefusal),
    Loop,
}

impl Forms {
    pub(super) fn of(raw: &str, home: &Path, cwd: &Path, files: &Files) -> Result<Forms, NoForms> {
        let written = lexical(raw, home, cwd).map_err(NoForms::Refused)?;
        let whole = match raw.strip_prefix('~') {
            Some(rest) => home.join(rest.trim_start_matches('/')),
            None => cwd.join(raw),
        };
        let mut walk = Walk { files, on_the_way: vec![written], links: 0 };
        let resolved = walk.follow(&whole, true)?;
        let on_the_way = walk.on_the_way;
        let mut walk = Walk { files, on_the_way: Vec::new(), links: 0 };
        let entry = walk.follow(&whole, false)?;
        Ok(Forms { on_the_way, entry, resolved, names_folder: names_folder(raw) })
    }

    /// Every form, the resolved one last.
    pub(super) fn all(&self) -> impl Iterator<Item = &Path> {
        self.on_the_way.iter().map(PathBuf::as_path).chain([self.resolved.as_path()])
    }
}

struct Walk<'a> {
    files: &'a Files,
    on_the_way: Vec<PathBuf>,
    links: usize,
}

impl Walk<'_> {
    /// As the kernel does: name by name, `..` from where a link led. What does not exist stays as written.
    fn follow(&mut self, path: &Path, last_too: bool) -> Result<PathBuf, NoForms> {
        let mut pending = names(path);
        let mut resolved = PathBuf::from("/");
        while let Some(name) = pending.pop() {
            if name == ".." {
                resolved.pop();
                continue;
            }
            let next = resolved.join(&name);
            let link = if pending.is_empty() && !last_too { None } else { self.files.link(&next) };
            let Some(target) = link else {
                resolved = next;
                continue;
            };
            self.links += 1;
            if self.links > MAX_LINKS {
                return Err(NoForms::Loop);
            }
            if target.is_absolute() {
                resolved = PathBuf::from("/");
            }
            pending.extend(names(&target));
            self.on_the_way.push(cleaned(&resolved, &pending));
        }
        Ok(resolved)
    }
}

/// The path's names, last first.
fn names(path: &Path) -> Vec<OsString> {
    let mut names: Vec<OsString> = path
        .components()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_owned()),
            Component::ParentDir => Some("..".into()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
        })
        .collect();
    names.reverse();
    names
}

fn cleaned(resolved: &Path, pending: &[OsString]) -> PathBuf {
    let mut path = resolved.to_owned();
    for name in pending.iter().rev() {
        if name == ".." {
            path.pop();
        } else {
            path.push(name);
        }
    }
    path
}
