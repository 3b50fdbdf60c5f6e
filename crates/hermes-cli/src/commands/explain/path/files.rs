//! What is there to be seen: the disk, a part of it, or a tree that is only data.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::tree::{Node, Tree};

/// More of a file is not searched.
const MOST_TEXT: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File,
    Link,
    Other,
}

#[derive(Clone, Debug)]
pub(super) enum Source {
    Disk,
    /// As a process would see it whose root is this folder.
    Below(PathBuf),
    Imagined(Tree),
}

/// Links and names, never followed further than one step.
#[derive(Clone, Debug)]
pub(super) struct Files {
    pub(super) source: Source,
    /// Links that a case brings along.
    pub(super) links: BTreeMap<PathBuf, PathBuf>,
}

impl Files {
    pub(super) fn link(&self, path: &Path) -> Option<PathBuf> {
        if let Some(target) = self.links.get(path) {
            return Some(target.clone());
        }
        match &self.source {
            Source::Disk => std::fs::read_link(path).ok(),
            Source::Below(root) => {
                let target = std::fs::read_link(inside(root, path)).ok()?;
                // A link made from outside names the root too.
                Some(
                    target
                        .strip_prefix(root)
                        .map_or_else(|_| target.clone(), |rest| Path::new("/").join(rest)),
                )
            }
            Source::Imagined(tree) => match tree.get(path)? {
                Node::Link(target) => Some(target.clone()),
                Node::Folder | Node::File(_) => None,
            },
        }
    }

    /// What the path itself is, without following it.
    pub(super) fn kind(&self, path: &Path) -> Option<Kind> {
        let real = match &self.source {
            Source::Disk => path.to_owned(),
            Source::Below(root) => inside(root, path),
            Source::Imagined(tree) => {
                return Some(match tree.get(path)? {
                    Node::Folder => Kind::Folder,
                    Node::File(_) => Kind::File,
                    Node::Link(_) => Kind::Link,
                });
            }
        };
        let kind = std::fs::symlink_metadata(real).ok()?.file_type();
        Some(match kind {
            kind if kind.is_dir() => Kind::Folder,
            kind if kind.is_symlink() => Kind::Link,
            kind if kind.is_file() => Kind::File,
            _ => Kind::Other,
        })
    }

    pub(super) fn children(&self, folder: &Path) -> Vec<PathBuf> {
        let real = match &self.source {
            Source::Disk => folder.to_owned(),
            Source::Below(root) => inside(root, folder),
            Source::Imagined(tree) => return tree.children(folder),
        };
        let Ok(entries) = std::fs::read_dir(real) else { return Vec::new() };
        let mut children: Vec<PathBuf> =
            entries.flatten().map(|entry| folder.join(entry.file_name())).collect();
        children.sort();
        children
    }

    /// The beginning of a plain file.
    pub(super) fn text(&self, file: &Path) -> Option<String> {
        if self.kind(file) != Some(Kind::File) {
            return None;
        }
        let real = match &self.source {
            Source::Disk => file.to_owned(),
            Source::Below(root) => inside(root, file),
            Source::Imagined(tree) => match tree.get(file)? {
                Node::File(text) => return Some(text.clone()),
                Node::Folder | Node::Link(_) => return None,
            },
        };
        let mut text = Vec::new();
        std::fs::File::open(real).ok()?.take(MOST_TEXT).read_to_end(&mut text).ok()?;
        Some(String::from_utf8_lossy(&text).into_owned())
    }
}

fn inside(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}
