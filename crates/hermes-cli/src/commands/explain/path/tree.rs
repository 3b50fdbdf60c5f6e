//! A tree of folders, files and links that exists only as data.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::limits::Policy;

/// The file that describes a tree, as `path_tree.json` of the security cases.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct TreeFile {
    /// What `{W}`, `{T}` and `{O}` stand for, as folders of the tree.
    #[serde(default)]
    pub(super) roots: BTreeMap<String, String>,
    #[serde(default)]
    dirs: Vec<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    links: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) policy: Option<Policy>,
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Folder,
    File(String),
    Link(PathBuf),
}

/// Every path of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: BTreeMap<PathBuf, Node>,
}

impl Tree {
    /// The tree as if it had been made below `base`; `expand` puts paths in place of marks.
    pub(super) fn at(base: &Path, file: &TreeFile, expand: impl Fn(&str) -> String) -> Tree {
        let mut tree = Tree::default();
        let links = file.links.iter().map(|(path, target)| (path, Node::Link(expand(target).into())));
        let files = file.files.iter().map(|(path, text)| (path, Node::File(text.clone())));
        let dirs = file.dirs.iter().chain(file.roots.values()).map(|path| (path, Node::Folder));
        for (path, node) in dirs.chain(files).chain(links) {
            let path = base.join(expand(path));
            for above in path.ancestors().skip(1) {
                tree.nodes.entry(above.to_owned()).or_insert(Node::Folder);
            }
            tree.nodes.insert(path, node);
        }
        tree
    }

    pub(super) fn get(&self, path: &Path) -> Option<&Node> {
        self.nodes.get(path)
    }

    pub(super) fn children(&self, folder: &Path) -> Vec<PathBuf> {
        self.nodes.keys().filter(|path| path.parent() == Some(folder)).cloned().collect()
    }
}
