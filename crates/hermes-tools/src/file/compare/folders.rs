//! What two folders hold.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::PathBuf;

use hermes_core::ToolError;
use hermes_host::files::FileDoor;
use hermes_host::workspace::{EntryKind, Visit, Visitor, WalkOptions};

/// Something that is in one of the folders or in both.
pub(crate) struct Pair {
    /// Relative to both.
    pub(crate) path: PathBuf,
    pub(crate) left: Option<EntryKind>,
    pub(crate) right: Option<EntryKind>,
}

/// All that is in either folder, sorted.
pub(crate) struct Pairs {
    pub(crate) all: Vec<Pair>,
    /// Folders that could not be looked into, and why.
    pub(crate) unreadable: BTreeMap<PathBuf, String>,
}

#[derive(Default)]
struct Entries(Vec<(PathBuf, EntryKind)>);

impl Visitor for Entries {
    fn visit(&mut self, visit: &Visit<'_>) -> ControlFlow<()> {
        self.0.push((visit.path.to_owned(), visit.kind));
        ControlFlow::Continue(())
    }
}

/// Looks at both folders. One that is in one of them only tells nothing that its files do not tell, unless it has none.
pub(crate) fn pairs(door: &FileDoor<'_>, left: &str, right: &str) -> Result<Pairs, ToolError> {
    let options = WalkOptions { hidden: true, ignore: false, max_depth: None };
    let mut unreadable = BTreeMap::new();
    let mut entries = |path: &str| -> Result<BTreeMap<PathBuf, EntryKind>, ToolError> {
        let walked = door.walk(path, options, Entries::default)?;
        unreadable.extend(walked.unreadable.into_iter().map(|folder| (folder.path, folder.reason)));
        Ok(walked.visitors.into_iter().flat_map(|entries| entries.0).collect())
    };
    let (left, right) = (entries(left)?, entries(right)?);
    let full: BTreeSet<&std::path::Path> =
        left.keys().chain(right.keys()).filter_map(|path| path.parent()).collect();
    let all: BTreeSet<&PathBuf> = left.keys().chain(right.keys()).collect();
    let pair = |path: &PathBuf| Pair {
        path: path.clone(),
        left: left.get(path).copied(),
        right: right.get(path).copied(),
    };
    let says_nothing = |pair: &Pair| {
        let is_folder = |kind: Option<EntryKind>| kind.is_none_or(|kind| kind == EntryKind::Folder);
        is_folder(pair.left)
            && is_folder(pair.right)
            && (pair.left == pair.right || full.contains(pair.path.as_path()))
    };
    let all = all.into_iter().map(pair).filter(|pair| !says_nothing(pair)).collect();
    Ok(Pairs { all, unreadable })
}
